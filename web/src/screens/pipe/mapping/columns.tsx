import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { VersionedPipe } from '../../../api/queries/pipes.ts';
import { Button } from '../../../kit/button.tsx';
import { Cell, ListTable, TitleCell } from '../../../kit/list-table.tsx';
import { usePipeRights } from '../../../pipes/rights.ts';
import { EditDialog } from '../edit/edit-dialog.tsx';
import { columnForm } from './column-form.ts';
import styles from '../pipe.module.css';

/** Which field of a record goes into which column. */
export function Columns({ stored }: { stored: VersionedPipe }) {
  const { destination, fieldMappings } = stored.item;
  const { canChange, reason } = usePipeRights();
  const [isAdding, setAdding] = useState(false);
  const fieldOf = new Map(
    fieldMappings.map(({ sourceField, destinationField }) => [destinationField, sourceField]),
  );
  return (
    <>
      <ListTable
        label="Columns"
        columns={[
          { label: 'Column' },
          { label: 'Type', isExtra: true },
          { label: 'Field of the record', isExtra: true },
        ]}
      >
        {(destination.columns ?? []).map(({ name, type }) => (
          <tr key={name}>
            <TitleCell title={name} smallNote={`${type}, from ${fieldOf.get(name) ?? name}`} />
            <Cell isExtra>
              <code className={styles.cut} title={type}>
                {type}
              </code>
            </Cell>
            <Cell isExtra>
              <span className={styles.cut}>{fieldOf.get(name) ?? name}</span>
            </Cell>
          </tr>
        ))}
      </ListTable>
      <Button
        icon={<Plus size={14} aria-hidden />}
        disabled={!canChange}
        title={reason}
        onClick={() => setAdding(true)}
      >
        Add column
      </Button>
      {isAdding && (
        <EditDialog
          form={columnForm(stored.item)}
          stored={stored}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  );
}
