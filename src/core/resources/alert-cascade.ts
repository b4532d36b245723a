import type { Referrer } from '../../ports/store.ts';
import type { DraftContext } from '../crud.ts';

/** Removes the alerts among the referrers of something that goes away. */
export async function removeAlerts(
  referrers: readonly Referrer[],
  { parts, principal }: DraftContext,
): Promise<void> {
  const ids = new Set(referrers.filter(({ kind }) => kind === 'alert').map(({ id }) => id));
  for (const id of ids) {
    await parts.documents.remove(principal.workspace.id, 'alert', id);
  }
}
