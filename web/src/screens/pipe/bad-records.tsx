import { useInfiniteQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronUp, Copy, Download } from 'lucide-react';
import { useState } from 'react';
import { pipeErrorsQuery, type Pipe, type PipeError } from '../../api/queries/pipes.ts';
import { Button } from '../../kit/button.tsx';
import { ActionsCell, Cell, ListTable, TitleCell } from '../../kit/list-table.tsx';
import { copy, Empty, Failure, LoadBar, Skeleton } from '../../kit/state.tsx';
import { Time } from '../../kit/time.tsx';
import { nameOf } from '../../pipes/states.ts';
import { formatCount, plural } from '../../view/number-format.ts';
import { fileWords, saveText } from '../../view/save-file.ts';
import { usePref } from '../../view/use-pref.ts';
import { formatTime, zoneLabel, zoneName } from '../../view/zone.ts';
import { Replay } from './replay.tsx';
import styles from './pipe.module.css';

/** Records that could not be stored, each with its reason. */
export function BadRecords({ pipe }: { pipe: Pipe }) {
  const query = useInfiniteQuery(pipeErrorsQuery(pipe.id));
  const { data, error, isFetching, refetch } = query;
  if (error && !data) {
    return (
      <Failure
        title="The bad records cannot be read"
        error={error}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!data) {
    return <Skeleton lines={6} height={40} />;
  }
  const records = data.pages.flatMap(({ items }) => items);
  const total = data.pages.at(-1)?.total ?? records.length;
  if (records.length === 0) {
    return (
      <>
        <Replay pipe={pipe} isPossible={false} />
        <Empty title="There is no bad record">
          Every record could be stored, or the server no longer keeps those that could not: it keeps
          them for 7 days.
        </Empty>
      </>
    );
  }
  return (
    <>
      <LoadBar isOn={isFetching} />
      <div className={styles.recordsHead}>
        <span className={styles.quiet}>
          {formatCount(records.length)} of {plural(total, 'record')}, newest first. The server keeps
          them for 7 days.
        </span>
        <Button
          size="small"
          icon={<Download size={14} aria-hidden />}
          onClick={() => void saveText(`${fileWords(nameOf(pipe))}-bad.ndjson`, lines(records))}
        >
          Save as NDJSON
        </Button>
      </div>
      <Replay pipe={pipe} isPossible={records.some(({ replayable }) => replayable)} />
      <RecordTable records={records} />
      {query.hasNextPage && (
        <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show older
        </Button>
      )}
    </>
  );
}

const lines = (records: readonly PipeError[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

function RecordTable({ records }: { records: readonly PipeError[] }) {
  const [zonePref] = usePref('zone');
  const zone = zoneName(zonePref);
  const [openId, setOpenId] = useState<string>();
  return (
    <ListTable
      label="Bad records"
      columns={[
        { label: 'Reason' },
        { label: `Time (${zoneLabel(zone)})`, isExtra: true },
        { label: 'Position', isExtra: true },
        { label: 'Record', isActions: true },
      ]}
    >
      {records.map((record) => {
        const id = `${record.partition} ${record.position} ${record.at}`;
        return (
          <RecordRow
            key={id}
            record={record}
            time={formatTime(Date.parse(record.at), zone, 'second')}
            isOpen={id === openId}
            onToggle={() => setOpenId(id === openId ? undefined : id)}
          />
        );
      })}
    </ListTable>
  );
}

interface RecordRowProps {
  record: PipeError;
  time: string;
  isOpen: boolean;
  onToggle(): void;
}

function RecordRow({ record, time, isOpen, onToggle }: RecordRowProps) {
  const { at, partition, position, reason, raw } = record;
  const place = `${partition} at ${position}`;
  return (
    <>
      <tr className={styles.row}>
        <TitleCell
          title={reason}
          note={<code>{raw === '' ? position : raw}</code>}
          smallNote={`${time}, ${place}`}
        />
        <Cell isExtra>
          <Time ms={Date.parse(at)}>{time}</Time>
        </Cell>
        <Cell isExtra>
          <span className={styles.cut} title={place}>
            {place}
          </span>
        </Cell>
        <ActionsCell>
          <Button
            size="small"
            look="plain"
            aria-expanded={isOpen}
            aria-label={`Record at ${position}`}
            onClick={onToggle}
          >
            Record
            {isOpen ? <ChevronUp size={14} aria-hidden /> : <ChevronDown size={14} aria-hidden />}
          </Button>
        </ActionsCell>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={4} className={styles.detail}>
            <p className={styles.reason}>{reason}</p>
            {raw === '' ? (
              <p className={styles.reason}>Refused as a whole: {position}</p>
            ) : (
              <pre className={styles.raw} role="region" aria-label="Raw record" tabIndex={0}>
                {raw}
              </pre>
            )}
            <Button
              size="small"
              icon={<Copy size={14} aria-hidden />}
              onClick={() => void copy(raw === '' ? position : raw, 'Record')}
            >
              Copy record
            </Button>
          </td>
        </tr>
      )}
    </>
  );
}
