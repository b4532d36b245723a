import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { deletePipe, pipeQuery, readPipe, type Pipe } from '../api/queries/pipes.ts';
import { useAction } from '../api/use-action.ts';
import { Toggle } from '../kit/choices.tsx';
import { Confirm } from '../kit/confirm.tsx';
import { Skeleton } from '../kit/state.tsx';
import { toast } from '../kit/toast.tsx';
import { confirmWord } from './confirm-word.ts';
import { kindOf } from './kinds.ts';
import { nameOf } from './states.ts';

interface DeleteDialogProps {
  pipe: Pick<Pipe, 'id' | 'name' | 'state' | 'source'>;
  onDeleted?: (() => void) | undefined;
  onClose(): void;
}

/** Deletes the pipe as it was when the dialog opened; asks again if somebody changed it since. */
export function DeleteDialog({ pipe, onDeleted, onClose }: DeleteDialogProps) {
  const { data } = useQuery({ ...pipeQuery(pipe.id), staleTime: Infinity });
  const [version, setVersion] = useState<string>();
  const [isChanged, setChanged] = useState(false);
  const [leaves, setLeaves] = useState(false);
  const { isBusy, error, run } = useAction();
  // The first one that is known: the page may read newer ones meanwhile.
  useEffect(() => setVersion((now) => now ?? data?.version), [data]);
  const remove = async (): Promise<void> => {
    if (version === undefined) {
      return;
    }
    let notice: string | undefined;
    try {
      notice = await deletePipe(pipe.id, version, leaves);
    } catch (failure) {
      if (!(failure instanceof ApiError && failure.status === 412)) {
        throw failure;
      }
      setVersion((await readPipe(pipe.id)).version);
      setChanged(true);
      return;
    }
    if (notice === undefined) {
      toast(`“${nameOf(pipe)}” is deleted.`);
    } else {
      // It stays until it is closed: there is something to do.
      toast(notice, 'error');
    }
    onClose();
    onDeleted?.();
  };
  return (
    <Confirm
      title={`Delete “${nameOf(pipe)}”?`}
      action={isChanged ? 'Delete it as it is now' : 'Delete pipe'}
      word={confirmWord(pipe, 'delete')}
      isBusy={isBusy || version === undefined}
      error={error}
      onConfirm={() => void run(remove)}
      onClose={onClose}
    >
      {isChanged && (
        <p role="alert">Somebody changed this pipe after you opened it. Nothing is deleted yet.</p>
      )}
      {version === undefined && <Skeleton lines={1} />}
      <p>The pipe stops, and its position is lost. The table and its rows stay.</p>
      {kindOf(pipe) === 'postgres' && (
        <Toggle
          label="Leave what it made at the source"
          hint="The slot and the publication stay at the source. Remove them yourself, or its log grows."
          isOn={leaves}
          onChange={setLeaves}
        />
      )}
    </Confirm>
  );
}
