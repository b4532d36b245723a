import { useId, useState } from 'react';
import { acknowledgeAlert, type Alert } from '../api/queries/alerts.ts';
import { useAction } from '../api/use-action.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { ErrorText } from '../kit/state.tsx';
import { toast } from '../kit/toast.tsx';
import { nameOf } from './states.ts';
import { groupText } from './words.ts';
import styles from './alerting.module.css';

interface AcknowledgeDialogProps {
  alert: Alert;
  /** The only group to acknowledge; absent: all that fire. */
  group?: readonly string[] | undefined;
  onClose(): void;
}

const noteMax = 1024;

/** Says that somebody works on what fires, with a note for the others. */
export function AcknowledgeDialog({ alert, group, onClose }: AcknowledgeDialogProps) {
  const id = useId();
  const [note, setNote] = useState('');
  const { isBusy, error, run } = useAction();
  const save = async (): Promise<void> => {
    await acknowledgeAlert(alert.id, {
      ...(note.trim() !== '' && { note: note.trim() }),
      ...(group && { group: [...group] }),
    });
    toast(`“${nameOf(alert)}” is acknowledged.`);
    onClose();
  };
  const isGrouped = alert.groupBy !== undefined && alert.groupBy !== '';
  return (
    <Dialog
      title={group ? `Acknowledge ${groupText(group)}` : `Acknowledge “${nameOf(alert)}”`}
      description={
        isGrouped && !group
          ? 'All groups that fire now. Reminders stop until they have ended; the ends are sent.'
          : 'Reminders stop until the incident has ended; its end is sent.'
      }
      open
      onOpenChange={onClose}
      onSubmit={() => void run(save)}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={isBusy}>
            Acknowledge
          </Button>
        </>
      }
    >
      <div className={styles.noteField}>
        <label htmlFor={id}>Note for the others</label>
        <textarea
          id={id}
          rows={3}
          autoFocus
          maxLength={noteMax}
          className={styles.note}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
        <p className={styles.hint}>Such as what you do, and when you look again. May be empty.</p>
      </div>
      <ErrorText error={error} />
    </Dialog>
  );
}
