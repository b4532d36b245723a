import { kindsIn } from '../../../contract/pipe/sources.ts';
import type { SourceSettings } from '../../../contract/pipe/source-contract.ts';
import { isSettings } from './sealed-parts.ts';
import type { SourceKind, SourceKinds } from './source-kind.ts';

/** The source of one pipe, with the rules of its kind. */
export interface ConfiguredSource {
  /** Its name in the contract, as in `source.<kind>`. */
  kind: string;
  rules: SourceKind;
  settings: SourceSettings;
}

/** The one source in the `source` of a pipe, as it is sent or stored there. */
export function sourceIn(kinds: SourceKinds, source: SourceSettings): ConfiguredSource {
  const [kind, ...others] = kindsIn(kinds, source);
  if (kind === undefined || others.length > 0) {
    throw new TypeError('a pipe must have exactly one source of a supported kind');
  }
  const rules = kinds[kind];
  const settings = source[kind];
  if (rules === undefined || !isSettings(settings)) {
    throw new TypeError(`the source of kind ${kind} has no settings`);
  }
  return { kind, rules, settings };
}
