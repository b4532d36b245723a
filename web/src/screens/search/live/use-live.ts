import { useEffect, useRef, useState } from 'react';
import { fetchRows, type RowsRequest, type SearchRow } from '../../../api/queries/search.ts';
import { useKeys } from '../../../view/keys.ts';
import { rowTimeMs } from '../columns.ts';

const tickMs = 2000;
/** Rows may arrive this late and are still found. */
const overlapMs = 5000;
const firstMs = 60_000;
const tickMax = 500;
const keptMax = 5000;

export interface Live {
  rows: readonly SearchRow[];
  isPaused: boolean;
  /** Rows that arrived while paused. */
  waiting: number;
  /** More rows arrive than are read. */
  isSampled: boolean;
  error: Error | undefined;
  resume(): void;
  pause(): void;
  onScroll(top: number): void;
}

/**
 * Follows new rows every two seconds. Pauses when a person scrolls away from the top, and while the
 * tab is hidden; `waiting` counts on.
 */
export function useLive(request: RowsRequest, isOn: boolean): Live {
  const [rows, setRows] = useState<readonly SearchRow[]>([]);
  const [shown, setShown] = useState<readonly SearchRow[]>([]);
  const [isPaused, setPaused] = useState(false);
  const [isSampled, setSampled] = useState(false);
  const [error, setError] = useState<Error>();
  const { startTime: _start, endTime: _end, orderBy: _order, ...question } = request;
  const key = JSON.stringify(question);
  const latest = useRef({ rows, request });
  latest.current = { rows, request };

  useEffect(() => {
    setRows([]);
    setShown([]);
    latest.current.rows = [];
  }, [key]);

  useEffect(() => {
    if (!isOn) {
      return undefined;
    }
    const abort = new AbortController();
    const tick = async (): Promise<void> => {
      try {
        const found = await readTick(latest.current.request, latest.current.rows, abort.signal);
        setSampled(found.length >= tickMax);
        setRows((known) => merged(found, known));
        setError(undefined);
      } catch (failure) {
        if (!abort.signal.aborted) {
          setError(failure instanceof Error ? failure : new Error(String(failure)));
        }
      }
      if (!abort.signal.aborted) {
        timer = setTimeout(() => void (document.hidden ? wait() : tick()), tickMs);
      }
    };
    const wait = (): void => {
      timer = setTimeout(() => void (document.hidden ? wait() : tick()), tickMs);
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    void tick();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [isOn, key]);

  useEffect(() => {
    if (!isPaused) {
      setShown(rows);
    }
  }, [rows, isPaused]);

  const resume = (): void => setPaused(false);
  const pause = (): void => setPaused(true);
  useKeys({ ' ': () => setPaused(!isPaused) }, isOn);
  const newest = shown[0]?._id;
  const waiting = isPaused ? rows.findIndex(({ _id }) => _id === newest) : 0;
  return {
    rows: shown,
    isPaused,
    waiting: waiting < 0 ? rows.length : waiting,
    isSampled,
    error,
    resume,
    pause,
    onScroll: (top) => {
      if (isOn && top > 40 && !isPaused) {
        pause();
      }
    },
  };
}

async function readTick(
  request: RowsRequest,
  known: readonly SearchRow[],
  signal: AbortSignal,
): Promise<SearchRow[]> {
  const { orderBy: _, ...newestFirst } = request;
  const nowMs = Date.now();
  const newest = known[0]?._id;
  const startTime = newest === undefined ? nowMs - firstMs : rowTimeMs(newest) - overlapMs;
  // Clocks of senders run ahead now and then.
  const endTime = Math.max(nowMs + overlapMs, startTime + 1);
  const page = await fetchRows({ ...newestFirst, startTime, endTime, limit: tickMax }, signal);
  return page.rows;
}

/** New rows before the known ones, each once, newest first. */
function merged(found: readonly SearchRow[], known: readonly SearchRow[]): readonly SearchRow[] {
  const ids = new Set(known.map(({ _id }) => _id));
  const added = found.filter(({ _id }) => !ids.has(_id));
  if (added.length === 0) {
    return known;
  }
  return [...added, ...known].sort(newestFirst).slice(0, keptMax);
}

function newestFirst(a: SearchRow, b: SearchRow): number {
  const left = a._id ?? '';
  const right = b._id ?? '';
  if (left === right) {
    return 0;
  }
  return left < right ? 1 : -1;
}
