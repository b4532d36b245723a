import { invalid, type Issue } from '../../../contract/errors.ts';
import type { SourceSettings } from '../../../contract/pipe/source-contract.ts';
import type { Egress } from '../../../ports/egress.ts';
import type { Principal } from '../../../ports/principal.ts';
import { sourceIssues } from '../api/source-checks.ts';
import { pipeDocument } from '../api/stored-versions.ts';
import { openSource } from '../definition.ts';
import type { PipeVerbDependencies } from '../dependencies.ts';
import { sourceIn, type ConfiguredSource } from '../kinds/configured-source.ts';
import { withStoredSecrets } from '../kinds/stored-secrets.ts';
import { aborted } from './aborted.ts';

export interface Draft {
  pipeId?: string | undefined;
  source: SourceSettings;
}

/**
 * The source of a draft with the stored secrets of its pipe, ready to connect.
 * @throws Fault `bad_request` for whatever the creation of a pipe would refuse
 */
export async function draftSource(
  deps: PipeVerbDependencies,
  principal: Principal,
  draft: Draft,
  deadline: AbortSignal,
): Promise<ConfiguredSource> {
  const sent = sourceIn(deps.kinds, draft.source);
  const source =
    draft.pipeId === undefined ? sent : await completed(deps, principal, sent, draft.pipeId);
  const egress = promptEgress(deps.egress, deadline);
  const issues = await sourceIssues(source, { ...deps, egress });
  if (issues.length > 0) {
    throw invalid(issues);
  }
  return source;
}

/** A name that takes too long to resolve passes the check, like one that does not resolve. */
const promptEgress = (
  egress: Pick<Egress, 'check'>,
  deadline: AbortSignal,
): Pick<Egress, 'check'> => ({
  check: (url) => Promise.race([egress.check(url), aborted(deadline)]),
});

async function completed(
  deps: PipeVerbDependencies,
  principal: Principal,
  sent: ConfiguredSource,
  pipeId: string,
): Promise<ConfiguredSource> {
  const stored = openSource(deps, await pipeDocument(deps.store, principal, pipeId));
  if (stored.kind !== sent.kind) {
    const message = `this pipe's source is ${stored.kind}`;
    throw invalid([{ path: `source.${sent.kind}`, message }]);
  }
  const { settings, filled } = withStoredSecrets(sent.rules, sent.settings, stored.settings);
  if (filled.length > 0 && !isSubset(sent.rules.servers(settings), stored)) {
    throw invalid(filled.map((path) => otherServer(sent.kind, path)));
  }
  return { ...sent, settings };
}

function isSubset(servers: readonly string[], { rules, settings }: ConfiguredSource): boolean {
  const known = new Set(rules.servers(settings));
  return servers.every((server) => known.has(server));
}

const otherServer = (kind: string, path: string): Issue => ({
  path: `source.${kind}.${path}`,
  message:
    'is required, because the source names another host than the pipe. Stored credentials are ' +
    'used only for the hosts of their pipe.',
});
