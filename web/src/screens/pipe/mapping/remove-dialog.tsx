import { useState } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import {
  readPipe,
  updatePipe,
  type PipeTable,
  type VersionedPipe,
} from '../../../api/queries/pipes.ts';
import { useAction } from '../../../api/use-action.ts';
import { Confirm } from '../../../kit/confirm.tsx';
import { toast } from '../../../kit/toast.tsx';

interface RemoveDialogProps {
  stored: VersionedPipe;
  table: PipeTable;
  onClose(): void;
}

/** Takes a table out of a pipe; asks again if somebody changed the pipe since. */
export function RemoveDialog({ stored, table, onClose }: RemoveDialogProps) {
  const [{ item, version }, setBasis] = useState(stored);
  const [isChanged, setChanged] = useState(false);
  const { isBusy, error, run } = useAction();
  const { sourceSchemaName, sourceTable, targetTable } = table;
  const remove = async (): Promise<void> => {
    const removed = { sourceSchemaName, sourceTable, targetTable };
    try {
      await updatePipe(item.id, version, {
        source: { postgres: { tableMappingsToRemove: [removed] } },
      });
    } catch (failure) {
      if (!(failure instanceof ApiError && failure.status === 412)) {
        throw failure;
      }
      setBasis(await readPipe(item.id));
      setChanged(true);
      return;
    }
    toast(`“${sourceTable}” is no longer replicated.`);
    onClose();
  };
  return (
    <Confirm
      title={`Remove “${sourceSchemaName}.${sourceTable}”?`}
      action={isChanged ? 'Remove it all the same' : 'Remove table'}
      isBusy={isBusy}
      error={error}
      onConfirm={() => void run(remove)}
      onClose={onClose}
    >
      {isChanged && (
        <p role="alert">Somebody changed this pipe after you opened it. Nothing is removed yet.</p>
      )}
      <p>
        Changes of the table are no longer stored. The target “{targetTable}” and its rows stay.
      </p>
    </Confirm>
  );
}
