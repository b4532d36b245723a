import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { PipeTable, VersionedPipe } from '../../../api/queries/pipes.ts';
import { Button, IconButton } from '../../../kit/button.tsx';
import { ActionsCell, Cell, ListTable, TitleCell } from '../../../kit/list-table.tsx';
import { usePipeRights } from '../../../pipes/rights.ts';
import { EditDialog } from '../edit/edit-dialog.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { tableForm } from './table-form.ts';
import styles from '../pipe.module.css';

/** The tables of the database that a PostgreSQL pipe replicates. */
export function Tables({ stored }: { stored: VersionedPipe }) {
  const { canChange, reason } = usePipeRights();
  const [isAdding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<PipeTable>();
  const tables = stored.item.source.postgres?.tableMappings ?? [];
  return (
    <>
      <ListTable
        label="Tables"
        columns={[
          { label: 'Table at the source' },
          { label: 'Target', isExtra: true },
          { label: 'Engine', isExtra: true },
          { label: 'Excluded columns', isExtra: true },
          { label: 'Actions', isActions: true },
        ]}
      >
        {tables.map((table) => (
          <TableRow
            key={table.targetTable}
            table={table}
            // The last one cannot go: a pipe needs a table.
            onRemove={tables.length > 1 ? () => setLeaving(table) : undefined}
          />
        ))}
      </ListTable>
      <Button
        icon={<Plus size={14} aria-hidden />}
        disabled={!canChange}
        title={reason}
        onClick={() => setAdding(true)}
      >
        Add table
      </Button>
      {isAdding && <EditDialog form={tableForm} stored={stored} onClose={() => setAdding(false)} />}
      {leaving && (
        <RemoveDialog stored={stored} table={leaving} onClose={() => setLeaving(undefined)} />
      )}
    </>
  );
}

interface TableRowProps {
  table: PipeTable;
  /** Undefined: the table cannot be removed. */
  onRemove: (() => void) | undefined;
}

function TableRow({ table, onRemove }: TableRowProps) {
  const { canChange, reason } = usePipeRights();
  const { targetTable, tableEngine = 'ReplacingMergeTree', excludedColumns = [] } = table;
  const source = `${table.sourceSchemaName}.${table.sourceTable}`;
  const why = onRemove ? reason : 'A pipe needs a table.';
  return (
    <tr>
      <TitleCell title={source} smallNote={`into ${targetTable}, ${tableEngine}`} />
      <Cell isExtra>
        <span className={styles.cut}>{targetTable}</span>
      </Cell>
      <Cell isExtra>{tableEngine}</Cell>
      <Cell isExtra>
        <span className={styles.cut}>
          {excludedColumns.length === 0 ? 'None' : excludedColumns.join(', ')}
        </span>
      </Cell>
      <ActionsCell>
        <IconButton
          label={`Remove ${source}`}
          disabled={!canChange || !onRemove}
          title={why}
          onClick={onRemove}
        >
          <Trash2 size={16} aria-hidden />
        </IconButton>
      </ActionsCell>
    </tr>
  );
}
