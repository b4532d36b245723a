import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { dashboardSummariesQuery } from '../../api/queries/dashboards.ts';
import { addTile } from '../../api/queries/add-tile.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { Listbox } from '../../kit/listbox.tsx';
import { ErrorText } from '../../kit/state.tsx';
import type { ValueConfig } from '../../tiles/model/requests.ts';
import { valueNames } from '../../tiles/model/merge.ts';
import styles from './explore.module.css';

interface SaveDialogProps {
  config: ValueConfig;
  onClose(): void;
}

const newDashboard = 'new';

/** Saves the chart as a tile of a dashboard, or of a new one. */
export function SaveDialog({ config, onClose }: SaveDialogProps) {
  const { data: dashboards = [] } = useQuery(dashboardSummariesQuery);
  const [target, setTarget] = useState(newDashboard);
  const [name, setName] = useState('');
  const [tileName, setTileName] = useState(() => valueNames(config).join(', '));
  const [saved, setSaved] = useState<Awaited<ReturnType<typeof addTile>>>();
  const { isBusy, error, run } = useAction();
  const isNew = target === newDashboard;
  const save = (): void => {
    void run(async () => {
      const to = isNew ? { name } : { id: target };
      setSaved(await addTile(to, { name: tileName, config }));
    });
  };
  if (saved) {
    return (
      <Dialog
        title="The chart is saved"
        open
        onOpenChange={onClose}
        actions={<Button onClick={onClose}>Close</Button>}
      >
        <p>It is the last tile of “{saved.name}”.</p>
        <p>
          <Link to="/dashboards/$id" params={{ id: saved.id }}>
            Open the dashboard
          </Link>
        </p>
        <p>
          <Link to="/alerts/new" search={{ dashboardId: saved.id, tileId: saved.tileId }}>
            Create an alert for the chart
          </Link>
        </p>
      </Dialog>
    );
  }
  return (
    <Dialog
      title="Save to a dashboard"
      open
      onOpenChange={onClose}
      onSubmit={save}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={isBusy}>
            Save
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <div className={styles.field}>
          <span className={styles.label}>Dashboard</span>
          <Listbox
            label="Dashboard"
            value={target}
            choices={[
              { value: newDashboard, label: 'A new dashboard' },
              ...dashboards.map(({ id, name: label }) => ({ value: id, label })),
            ]}
            onChange={setTarget}
          />
        </div>
        {isNew && (
          <Field
            label="Name of the dashboard"
            value={name}
            error={error?.issueAt('name')}
            onChange={(event) => setName(event.target.value)}
          />
        )}
        <Field
          label="Title of the tile"
          value={tileName}
          onChange={(event) => setTileName(event.target.value)}
        />
        <ErrorText error={error} />
      </div>
    </Dialog>
  );
}
