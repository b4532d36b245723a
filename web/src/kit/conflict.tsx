import { Button } from './button.tsx';
import styles from './conflict.module.css';
import { Dialog } from './dialog.tsx';

/** A field that two people set to different values. */
export interface Difference {
  name: string;
  theirs: string;
  mine: string;
}

interface ConflictProps {
  /** What was changed, such as "Failed payments". */
  name: string;
  differences: readonly Difference[];
  isSaving: boolean;
  error?: string | undefined;
  onMine(): void;
  onTheirs(): void;
  onClose(): void;
}

/** Another person changed the object after it was opened (412): theirs and mine, to choose from. */
export function Conflict({ name, differences, ...props }: ConflictProps) {
  return (
    <Dialog
      title={`“${name}” has changed`}
      description="Another person changed it after you opened it. Nothing is saved yet."
      look="wide"
      open
      onOpenChange={props.onClose}
      actions={
        <>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button onClick={props.onTheirs}>Open theirs</Button>
          <Button look="primary" disabled={props.isSaving} onClick={props.onMine}>
            Save mine
          </Button>
        </>
      }
    >
      {differences.length === 0 ? (
        <p>Theirs and yours are the same.</p>
      ) : (
        <div className={styles.scroll} role="group" aria-label="Differences" tabIndex={0}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Theirs</th>
                <th scope="col">Mine</th>
              </tr>
            </thead>
            <tbody>
              {differences.map(({ name: field, theirs, mine }) => (
                <tr key={field}>
                  <th scope="row">{field}</th>
                  <td>{theirs || <span className={styles.none}>(empty)</span>}</td>
                  <td>{mine || <span className={styles.none}>(empty)</span>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {props.error !== undefined && (
        <p className={styles.error} role="alert">
          {props.error}
        </p>
      )}
    </Dialog>
  );
}
