import type { SourceSettings } from '../../../contract/pipe/source-contract.ts';
import { isSettings, splitSource } from './sealed-parts.ts';
import type { SourceKind } from './source-kind.ts';

export interface FilledSource {
  settings: SourceSettings;
  /** Paths that the stored source filled. */
  filled: string[];
}

/**
 * Puts the secrets of a stored source where a draft of it has none, or only their masked text. A
 * secret that would contradict the draft is left out.
 */
export function withStoredSecrets(
  rules: SourceKind,
  draft: SourceSettings,
  stored: SourceSettings,
): FilledSource {
  const { contract, sealedNames } = rules;
  const paths = new Map(Object.entries(sealedNames).map(([path, name]) => [name, path]));
  const { sealed } = splitSource(rules, stored);
  let settings = draft;
  const filled: string[] = [];
  for (const [name, value] of Object.entries(sealed)) {
    const path = paths.get(name) ?? name;
    const mask = typeof value === 'string' ? contract.masks[path]?.(value) : undefined;
    const candidate = withPart(settings, path.split('.'), value, mask);
    if (
      candidate !== undefined &&
      contract.mistakes(candidate).length <= contract.mistakes(settings).length
    ) {
      settings = candidate;
      filled.push(path);
    }
  }
  return { settings, filled };
}

/** Undefined if the draft has another value there, or no object to hold it. */
function withPart(
  source: SourceSettings,
  [name = '', ...rest]: readonly string[],
  value: unknown,
  mask: string | undefined,
): SourceSettings | undefined {
  const current = source[name];
  if (rest.length === 0) {
    return current === undefined || current === mask ? { ...source, [name]: value } : undefined;
  }
  const inner = isSettings(current) ? withPart(current, rest, value, mask) : undefined;
  return inner && { ...source, [name]: inner };
}
