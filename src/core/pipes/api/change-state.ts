import { Fault, invalid, notFound } from '../../../contract/errors.ts';
import type { StoredDocument } from '../../../ports/store/document-store.ts';
import type { StoreWriter } from '../../../ports/store/store-access.ts';
import { sourceIn } from '../kinds/configured-source.ts';
import type { SourceKinds } from '../kinds/source-kind.ts';
import { advanceLifecycle, isAtWork } from '../lifecycle.ts';

/** Starts, stops or resyncs a pipe, in the transaction of `parts`. */
export async function changeState(
  kinds: SourceKinds,
  parts: Pick<StoreWriter, 'pipes'>,
  document: StoredDocument<'pipe'>,
  command: 'start' | 'stop' | 'resync',
): Promise<void> {
  const { workspaceId, id } = document;
  const { kind, rules } = sourceIn(kinds, document.body.source);
  const status = await parts.pipes.status(workspaceId, id);
  if (!status) {
    throw notFound('pipe');
  }
  if (status.wish === 'remove') {
    throw new Fault('conflict', 'the pipe is being deleted. Create a new pipe instead.');
  }
  if (command === 'resync' && !rules.canResync) {
    throw invalid([
      {
        path: 'command',
        message: `resync is for ${resyncKinds(kinds)} pipes; this one's source is ${kind}`,
      },
    ]);
  }
  if (command === 'start' && status.wish === 'run' && isAtWork(status.state)) {
    throw invalid([{ path: 'command', message: 'the pipe is running already' }]);
  }
  const isStop = command === 'stop';
  const next = advanceLifecycle(rules.states, status, {
    kind: isStop ? 'stop requested' : 'start requested',
  });
  if (isStop && status.wish === 'stop' && !next) {
    return;
  }
  await parts.pipes.ask(workspaceId, id, {
    wish: isStop ? 'stop' : 'run',
    ...(next ? { state: next.state } : {}),
    resync: command === 'resync',
  });
}

const resyncKinds = (kinds: SourceKinds): string =>
  Object.entries(kinds)
    .filter(([, { canResync }]) => canResync)
    .map(([kind]) => kind)
    .join(' and ');
