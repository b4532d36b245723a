import type { VersionedMaintenance } from '../../../api/queries/maintenance.ts';
import { Button } from '../../../kit/button.tsx';
import { Conflict } from '../../../kit/conflict.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { Field } from '../../../kit/field.tsx';
import { ErrorText } from '../../../kit/state.tsx';
import { usePref } from '../../../view/use-pref.ts';
import { zoneName } from '../../../view/zone.ts';
import { AlertsFields } from './alerts-fields.tsx';
import { differencesOf } from './differences.ts';
import { ScheduleFields } from './schedule-fields.tsx';
import { useWindowForm } from './use-window-form.ts';
import styles from './maintenance.module.css';

interface WindowDialogProps {
  /** Absent: a new window. */
  stored?: VersionedMaintenance;
  onClose(): void;
}

/** The form of a window: when it is, and which alerts it covers. */
export function WindowDialog({ stored, onClose }: WindowDialogProps) {
  const [zonePref] = usePref('zone');
  const zone = zoneName(zonePref);
  const model = useWindowForm(stored, zone, onClose);
  const { draft, input, change, host, form, rules, error, isSaving, theirs } = model;
  if (theirs) {
    return (
      <Conflict
        name={theirs.item.name}
        differences={differencesOf(theirs.item, input, zone)}
        isSaving={isSaving}
        error={error?.message}
        onMine={() => void model.save(theirs.version)}
        onTheirs={onClose}
        onClose={model.keepEditing}
      />
    );
  }
  return (
    <Dialog
      title={stored ? `Change “${stored.item.name}”` : 'New maintenance window'}
      look="wide"
      open
      onOpenChange={onClose}
      onSubmit={() => void model.save()}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={isSaving || !rules}>
            {stored ? 'Save window' : 'Create window'}
          </Button>
        </>
      }
    >
      <div ref={host} className={styles.form}>
        <Field
          label="Name"
          autoFocus
          autoComplete="off"
          maxLength={255}
          value={draft.name}
          error={form.issueAt('name')}
          onChange={({ target }) => change({ name: target.value })}
        />
        <ScheduleFields
          draft={draft}
          zone={zone}
          issueAt={form.issueAt}
          occurrences={rules?.occurrences}
          onChange={change}
        />
        <AlertsFields draft={draft} error={form.issueAt('alerts')} onChange={change} />
        <ErrorText error={error} />
      </div>
    </Dialog>
  );
}
