import { useEffect, useRef, useState } from 'react';
import { fetchRows, type RowsRequest, type SearchRow } from '../../../api/queries/search.ts';
import { useKeys } from '../../../view/keys.ts';
import { rowTimeMs } from '../columns.ts';
import { merged } from './merge-rows.ts';

const tickMs = 2000;
/** Rows may arrive this late and are still found. */
const overlapMs = 5000;
const firstMs = 60_000;
const tickMax = 500;

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
 * Follows new rows every two seconds. Pauses when a person scrolls away from the top, opens a row or
 * leaves the tab. `waiting` counts on; a hidden tab reads nothing until it is seen again.
 */
export function useLive(request: RowsRequest, isOn: boolean, hasOpenRow: boolean): Live {
  const [rows, setRows] = useState<readonly SearchRow[]>([]);
  const [shown, setShown] = useState<readonly SearchRow[]>([]);
  const [isPaused, setPaused] = usePause(isOn, hasOpenRow);
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
        wait();
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
    // A link to an open row begins paused, with the rows of the first read.
    setShown((before) => (isPaused && before.length > 0 ? before : rows));
  }, [rows, isPaused]);

  const resume = (): void => setPaused(false);
  const pause = (): void => setPaused(true);
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

/** Paused by Space, by an open row and by a hidden tab; only the person resumes. */
function usePause(isOn: boolean, hasOpenRow: boolean): [boolean, (isPaused: boolean) => void] {
  const [isPaused, setPaused] = useState(false);
  useKeys({ ' ': () => setPaused(!isPaused) }, isOn);
  useEffect(() => setPaused((before) => isOn && (before || hasOpenRow)), [isOn, hasOpenRow]);
  useEffect(() => {
    const onVisibility = (): void => setPaused((before) => before || document.hidden);
    if (isOn) {
      document.addEventListener('visibilitychange', onVisibility);
    }
    return () => document.removeEventListener('visibilitychange', onVisibility);
  }, [isOn]);
  return [isPaused, setPaused];
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
