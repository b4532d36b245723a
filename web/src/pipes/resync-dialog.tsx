import { commandOnePipe, type Pipe } from '../api/queries/pipes.ts';
import { useAction } from '../api/use-action.ts';
import { Confirm } from '../kit/confirm.tsx';
import { toast } from '../kit/toast.tsx';
import { confirmWord } from './confirm-word.ts';
import { nameOf } from './states.ts';

interface ResyncDialogProps {
  pipe: Pick<Pipe, 'id' | 'name'>;
  onClose(): void;
}

/** Loads every table of a PostgreSQL pipe again. */
export function ResyncDialog({ pipe, onClose }: ResyncDialogProps) {
  const { isBusy, error, run } = useAction();
  const resync = async (): Promise<void> => {
    await commandOnePipe(pipe.id, 'resync');
    toast(`“${nameOf(pipe)}” loads its tables again.`);
    onClose();
  };
  return (
    <Confirm
      title={`Resync “${nameOf(pipe)}”?`}
      action="Resync pipe"
      word={confirmWord(pipe, 'resync')}
      isBusy={isBusy}
      error={error}
      onConfirm={() => void run(resync)}
      onClose={onClose}
    >
      <p>
        The pipe reads all its tables from the beginning, which loads the source. Each target keeps
        its rows until the new ones are complete.
      </p>
    </Confirm>
  );
}
