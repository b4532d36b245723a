import type { Referrer } from '../../ports/store/document-store.ts';
import type { ChangeContext } from '../verb/crud.ts';

/** Removes the alerts among the referrers of something that goes away. */
export async function removeAlerts(
  referrers: readonly Referrer[],
  { parts, principal }: ChangeContext,
): Promise<void> {
  const ids = new Set(referrers.filter(({ kind }) => kind === 'alert').map(({ id }) => id));
  for (const id of ids) {
    await parts.documents.remove(principal.workspace.id, 'alert', id);
  }
}
