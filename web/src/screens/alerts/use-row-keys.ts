import { useNavigate } from '@tanstack/react-router';
import type { Alert } from '../../api/queries/alerts.ts';
import { nameOf } from '../../alerting/states.ts';
import { toast } from '../../kit/toast.tsx';
import { useKeys } from '../../view/keys.ts';

const links = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-row-link]')];

/** Id of the alert in whose row the focus is. */
const focusedId = (): string | undefined =>
  document.activeElement?.closest('[data-alert]')?.getAttribute('data-alert') ?? undefined;

type RowAction = 'silence' | 'acknowledge' | 'edit';

/** Keys of the list: rows by j and k, what is done with the row that has the focus. */
export function useRowKeys(
  alerts: readonly Alert[],
  onDo: (what: 'silence' | 'acknowledge', alert: Alert) => void,
): void {
  const navigate = useNavigate();
  const step = (by: 1 | -1): void => {
    const rows = links();
    const id = focusedId();
    const at = rows.findIndex((link) => link.closest(`[data-alert="${id}"]`) !== null);
    rows[Math.min(Math.max(at + by, 0), rows.length - 1)]?.focus();
  };
  const act = (what: RowAction): void => {
    const alert = alerts.find(({ id }) => id === focusedId());
    if (!alert) {
      toast('Choose an alert first: j and k go through the list.');
    } else if (what === 'edit') {
      void navigate({ to: '/alerts/$id/edit', params: { id: alert.id } });
    } else if (what === 'acknowledge' && alert.state !== 'firing') {
      toast(`“${nameOf(alert)}” does not fire.`);
    } else {
      onDo(what, alert);
    }
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    s: () => act('silence'),
    a: () => act('acknowledge'),
    e: () => act('edit'),
  });
}
