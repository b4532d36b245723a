import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ListedPipe } from '../../api/queries/pipes.ts';
import { Button } from '../../kit/button.tsx';
import { CheckBox } from '../../kit/check-box.tsx';
import { Cell, ListTable, TitleCell } from '../../kit/list-table.tsx';
import { lagText, oldestText, progressText, rateText } from '../../pipes/figures.ts';
import { kindOf, kindWords, sourceText, targetText } from '../../pipes/kinds.ts';
import { StateMark } from '../../pipes/state-mark.tsx';
import { nameOf } from '../../pipes/states.ts';
import { formatCount, plural } from '../../view/number-format.ts';
import { BulkBar } from './bulk-bar.tsx';
import { RowActions } from './row-actions.tsx';
import { useCommands } from './use-commands.ts';
import { useRowKeys } from './use-row-keys.ts';
import styles from './pipes.module.css';

const pageSize = 200;
const columns = [
  { label: 'Select', isActions: true },
  { label: 'Pipe' },
  { label: 'State', isExtra: true },
  { label: 'Kind', isExtra: true },
  { label: 'Target', isExtra: true },
  { label: 'Lag', isExtra: true },
  { label: 'Rows/s', isExtra: true },
  { label: 'Bad records', isExtra: true },
  { label: 'Actions', isActions: true },
];

/** The pipes, with those that are selected. */
export function PipeTable({ pipes }: { pipes: readonly ListedPipe[] }) {
  const [count, setCount] = useState(pageSize);
  const [chosenIds, setChosen] = useState<ReadonlySet<string>>(new Set());
  const shown = pipes.slice(0, count);
  const chosen = shown.filter(({ id }) => chosenIds.has(id));
  const commands = useCommands();
  const toggle = (id: string): void =>
    setChosen((before) => {
      const after = new Set(before);
      return after.delete(id) ? after : after.add(id);
    });
  useRowKeys({ shown, chosen, commands, onToggle: toggle });
  return (
    <>
      <BulkBar
        shown={shown}
        chosen={chosen}
        commands={commands}
        onChoose={(all) => setChosen(new Set(all ? shown.map(({ id }) => id) : []))}
      />
      <ListTable label="Pipes" columns={columns}>
        {shown.map((pipe) => (
          <PipeRow
            key={pipe.id}
            pipe={pipe}
            isChosen={chosenIds.has(pipe.id)}
            isBusy={commands.isBusy}
            onToggle={() => toggle(pipe.id)}
            onCommand={(command) => commands.sendOne(pipe, command)}
          />
        ))}
      </ListTable>
      {count < pipes.length && (
        <Button className={styles.more} onClick={() => setCount(count + pageSize)}>
          Show more: {formatCount(count)} of {formatCount(pipes.length)}
        </Button>
      )}
    </>
  );
}

interface PipeRowProps {
  pipe: ListedPipe;
  isChosen: boolean;
  isBusy: boolean;
  onToggle(): void;
  onCommand(command: 'start' | 'stop'): void;
}

function PipeRow({ pipe, isChosen, isBusy, onToggle, onCommand }: PipeRowProps) {
  const { id, state, stateMessage, counts } = pipe;
  const oldest = oldestText(counts);
  return (
    <tr className={styles.row} data-pipe={id} data-chosen={isChosen || undefined}>
      <td>
        <CheckBox label={`Select ${nameOf(pipe)}`} checked={isChosen} onChange={onToggle} />
      </td>
      <TitleCell
        title={
          <Link to="/pipes/$id" params={{ id }} data-row-link>
            {nameOf(pipe)}
          </Link>
        }
        note={sourceText(pipe)}
        smallNote={<SmallNote pipe={pipe} />}
      />
      <Cell isExtra>
        <StateMark state={state} />
        <Note text={stateMessage} />
      </Cell>
      <Cell isExtra>{kindWords[kindOf(pipe)]}</Cell>
      <Cell isExtra>
        <span className={styles.target} title={targetText(pipe)}>
          {targetText(pipe)}
        </span>
      </Cell>
      <Cell isExtra>
        <span className={styles.figure}>{lagText(counts)}</span>
        <Note text={oldest} />
      </Cell>
      <Cell isExtra>
        <span className={styles.figure}>{rateText(counts)}</span>
        <Note text={`${formatCount(counts.rows)} in all`} />
      </Cell>
      <Cell isExtra>
        <Errors pipe={pipe} />
      </Cell>
      <RowActions pipe={pipe} isBusy={isBusy} onCommand={onCommand} />
    </tr>
  );
}

/** What the left-out columns say on small screens. */
function SmallNote({ pipe }: { pipe: ListedPipe }) {
  const { state, stateMessage, counts } = pipe;
  return (
    <span className={styles.small}>
      <span>
        <StateMark state={state} />
        {stateMessage !== undefined && `: ${stateMessage}`}
      </span>
      <span>{[kindWords[kindOf(pipe)], progressText(counts)].filter(Boolean).join(', ')}</span>
    </span>
  );
}

function Note({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <span className={styles.cellNote} title={text}>
      {text}
    </span>
  );
}

/** Bad records, with the way to them. */
function Errors({ pipe: { id, counts } }: { pipe: ListedPipe }) {
  return counts.errors === 0 ? (
    <>0</>
  ) : (
    <Link
      to="/pipes/$id"
      params={{ id }}
      search={{ tab: 'errors' }}
      className={styles.errors}
      aria-label={plural(counts.errors, 'bad record')}
    >
      {formatCount(counts.errors)}
    </Link>
  );
}
