import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { sourcesQuery, type Source } from '../../api/queries/sources.ts';
import { toast } from '../../kit/toast.tsx';
import type { ValueConfig } from '../../tiles/model/requests.ts';
import { pack, packedMax, unpack } from '../../view/packed.ts';
import {
  defaultRange,
  fromSpan,
  spanOf,
  zoomedOut,
  type Span,
  type TimeRange,
} from '../../view/time-range.ts';
import { compact } from '../../view/url-state.ts';
import { firstConfig, readConfig, tidy } from './chart-config.ts';
import type { ExploreParams } from './params.ts';

const route = getRouteApi('/inside/explore');

/** The chart that the explorer shows, read from the URL. */
export interface ExploreModel {
  sources: readonly Source[];
  source: Source;
  config: ValueConfig;
  range: TimeRange;
  /** The range at the last run. */
  span: Span;
  runId: number;
  run(): void;
  /** Another chart: Back returns to the last one. */
  setConfig(config: ValueConfig): void;
  setRange(range: TimeRange): void;
  zoomOut(): void;
}

export function useExploreModel(): {
  model: ExploreModel | undefined;
  isLoading: boolean;
  error: Error | null;
  retry(): void;
} {
  const params = route.useSearch();
  const navigate = route.useNavigate();
  const { data: sources, error, isPending, refetch } = useQuery(sourcesQuery);
  const [runAt, setRunAt] = useState(() => ({ id: 0, nowMs: Date.now() }));
  const run = useCallback(() => setRunAt(({ id }) => ({ id: id + 1, nowMs: Date.now() })), []);
  const packed = usePacked(params.c);

  const ask = useCallback(
    (changes: Partial<ExploreParams>) => {
      void navigate({ search: (before: ExploreParams) => compact({ ...before, ...changes }) });
    },
    [navigate],
  );
  const { show } = packed;
  const latest = useRef<ValueConfig>(undefined);
  const setConfig = useCallback(
    async (next: ValueConfig) => {
      const config = tidy(next);
      latest.current = config;
      // At once: the next change may come before the address has this one.
      show(config);
      const text = await pack(JSON.stringify(config));
      if (latest.current !== config) {
        return;
      }
      if (text.length > packedMax) {
        toast('This chart is too long for a link. Shorten its conditions.', 'error');
        return;
      }
      run();
      ask({ c: text });
    },
    [ask, run, show],
  );
  const setRange = useCallback(
    ({ from, to }: TimeRange) => {
      run();
      ask({
        from: from === defaultRange.from ? undefined : from,
        to: to === defaultRange.to ? undefined : to,
      });
    },
    [ask, run],
  );
  const range = useMemo(
    () => ({ from: params.from ?? defaultRange.from, to: params.to ?? defaultRange.to }),
    [params.from, params.to],
  );
  const span = useMemo(() => spanOf(range, runAt.nowMs), [range, runAt]);

  const first = sources?.find(({ kind }) => kind === 'log') ?? sources?.[0];
  const config = packed.config ?? (first && firstConfig(first));
  const source = sources?.find(({ id }) => id === config?.sourceId);
  const isReady = config !== undefined && source !== undefined && !packed.isReading;
  return {
    model:
      sources && isReady
        ? {
            sources,
            source,
            config,
            range,
            span,
            runId: runAt.id,
            run,
            setConfig: (next) => void setConfig(next),
            setRange,
            zoomOut: () => setRange(fromSpan(zoomedOut(span, Date.now()))),
          }
        : undefined,
    isLoading: isPending || packed.isReading,
    error,
    retry: () => void refetch(),
  };
}

/** The chart of a packed text. A broken one is dropped, with a note. */
function usePacked(text: string | undefined): {
  config: ValueConfig | undefined;
  isReading: boolean;
  /** Shows another chart until the text changes. */
  show(config: ValueConfig): void;
} {
  const [known, setKnown] = useState<{ config: ValueConfig | undefined }>();
  useEffect(() => {
    let isOld = false;
    const read = async (packed: string): Promise<void> => {
      const json = await unpack(packed);
      const config = json === undefined ? undefined : readConfig(json);
      if (isOld) {
        return;
      }
      if (!config) {
        toast('The link has no chart that can be read.', 'error');
      }
      setKnown({ config });
    };
    if (text === undefined) {
      setKnown(undefined);
    } else {
      void read(text);
    }
    return () => {
      isOld = true;
    };
  }, [text]);
  const show = useCallback((config: ValueConfig) => setKnown({ config }), []);
  // A new chart is read in a moment: the one before stays until then.
  return { config: known?.config, isReading: text !== undefined && known === undefined, show };
}
