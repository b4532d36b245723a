import { useQuery } from '@tanstack/react-query';
import { Copy, Download, Ellipsis, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { alertsQuery } from '../../api/queries/alerts.ts';
import {
  createDashboard,
  deleteDashboard,
  readDashboard,
  type DashboardSummary,
} from '../../api/queries/dashboards.ts';
import { sourcesQuery } from '../../api/queries/sources.ts';
import { useAction } from '../../api/use-action.ts';
import { IconButton } from '../../kit/button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../kit/menu.tsx';
import { toast } from '../../kit/toast.tsx';
import { exportedDashboard, inputOf } from '../../tiles/exchange/export.ts';
import { fileWords, saveText } from '../../view/save-file.ts';

/** Actions on a dashboard of the list. */
export function DashboardMenu({ dashboard }: { dashboard: DashboardSummary }) {
  const [isDeleting, setDeleting] = useState(false);
  const { data: sources = [] } = useQuery(sourcesQuery);
  const saying = async (action: () => Promise<void>): Promise<void> => {
    try {
      await action();
    } catch (error) {
      toast(error instanceof ApiError ? error.message : String(error), 'error');
    }
  };
  const duplicate = async (): Promise<void> => {
    const whole = await readDashboard(dashboard.id);
    const name = `${whole.name} (copy)`.slice(0, 1024);
    await createDashboard({ ...inputOf(whole), name });
    toast(`“${name}” is made.`);
  };
  const download = async (): Promise<void> => {
    const whole = await readDashboard(dashboard.id);
    await saveText(
      `${fileWords(whole.name)}.json`,
      JSON.stringify(exportedDashboard(whole, sources), undefined, 2),
    );
  };
  return (
    <>
      <Menu
        align="end"
        trigger={
          <IconButton label={`Actions of ${dashboard.name}`}>
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem icon={<Copy size={14} aria-hidden />} onSelect={() => void saying(duplicate)}>
          Duplicate
        </MenuItem>
        <MenuItem icon={<Download size={14} aria-hidden />} onSelect={() => void saying(download)}>
          Export as JSON
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          look="danger"
          icon={<Trash2 size={14} aria-hidden />}
          onSelect={() => setDeleting(true)}
        >
          Delete…
        </MenuItem>
      </Menu>
      {isDeleting && <DeleteDialog dashboard={dashboard} onClose={() => setDeleting(false)} />}
    </>
  );
}

function DeleteDialog({ dashboard, onClose }: { dashboard: DashboardSummary; onClose(): void }) {
  const { isBusy, error, run } = useAction();
  const { data: alerts } = useQuery({ ...alertsQuery, staleTime: 0 });
  const lost = (alerts ?? []).filter((alert) => alert.dashboard === dashboard.id);
  const remove = async (): Promise<void> => {
    await deleteDashboard(dashboard.id);
    toast(`“${dashboard.name}” is deleted.`);
    onClose();
  };
  return (
    <Confirm
      title={`Delete “${dashboard.name}”?`}
      action="Delete dashboard"
      word={dashboard.name.length <= 40 ? dashboard.name.trim() : 'delete'}
      isBusy={isBusy}
      error={error}
      onConfirm={() => void run(remove)}
      onClose={onClose}
    >
      <p>Nobody can bring it back. Export it first if you may need it.</p>
      {lost.length > 0 && (
        <p>Its alerts go with it: {lost.map(({ name, id }) => name ?? id).join(', ')}.</p>
      )}
    </Confirm>
  );
}
