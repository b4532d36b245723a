import type { ListedPipe } from '../../api/queries/pipes.ts';
import { toast } from '../../kit/toast.tsx';
import { usePipeRights } from '../../pipes/rights.ts';
import { useKeys } from '../../view/keys.ts';
import type { Commands } from './use-commands.ts';

const links = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-row-link]')];

/** Id of the pipe in whose row the focus is. */
const focusedId = (): string | undefined =>
  document.activeElement?.closest('[data-pipe]')?.getAttribute('data-pipe') ?? undefined;

interface RowKeys {
  shown: readonly ListedPipe[];
  chosen: readonly ListedPipe[];
  commands: Commands;
  onToggle(id: string): void;
}

/** Keys of the list: rows by j and k, select by x, start and stop what is selected or has the focus. */
export function useRowKeys({ shown, chosen, commands, onToggle }: RowKeys): void {
  const { reason } = usePipeRights();
  const step = (by: 1 | -1): void => {
    const rows = links();
    const id = focusedId();
    const at = rows.findIndex((link) => link.closest(`[data-pipe="${id}"]`) !== null);
    rows[Math.min(Math.max(at + by, 0), rows.length - 1)]?.focus();
  };
  const select = (): void => {
    const id = focusedId();
    if (id === undefined) {
      toast('Move to a pipe first: j and k go through the list.');
    } else {
      onToggle(id);
    }
  };
  const send = (command: 'start' | 'stop'): void => {
    const focused = shown.filter(({ id }) => id === focusedId());
    const pipes = chosen.length > 0 ? chosen : focused;
    if (reason !== undefined) {
      toast(reason);
    } else if (pipes.length === 0) {
      toast('Move to a pipe first: j and k go through the list.');
    } else if (!commands.isBusy) {
      commands.send(pipes, command);
    }
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    x: select,
    s: () => send('start'),
    'shift+s': () => send('stop'),
  });
}
