import { Button } from '../../../kit/button.tsx';
import { Notice } from '../../../kit/state.tsx';
import { formatShort, plural } from '../../../view/number-format.ts';
import type { Exporting } from './use-export.ts';

/** How far the export is, and a way to stop it. */
export function ExportBar({ exporting: { progress, cancel } }: { exporting: Exporting }) {
  if (!progress) {
    return null;
  }
  const { format, rows, bytes } = progress;
  const action = (
    <Button size="small" look="plain" onClick={cancel}>
      Cancel export
    </Button>
  );
  return (
    <Notice action={action}>
      Exporting {format.toUpperCase()}: {plural(rows, 'row')} so far, {formatShort(bytes)}B
    </Notice>
  );
}
