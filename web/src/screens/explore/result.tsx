import { useMemo, useRef, useState } from 'react';
import { NumbersTable } from '../../charts/numbers-table.tsx';
import { TimeChart } from '../../charts/time-chart.tsx';
import { groupName, valueNames } from '../../tiles/model/merge.ts';
import {
  groupsOf,
  groupsOfLines,
  isOverTime,
  type ValueConfig,
} from '../../tiles/model/requests.ts';
import { useScene } from '../../tiles/scene.ts';
import { TileState } from '../../tiles/tile-state.tsx';
import { useFormat } from '../../tiles/use-format.ts';
import { useSeries, useTimeData, ValueTile } from '../../tiles/value-tiles.tsx';
import type { Span } from '../../view/time-range.ts';
import { Picked } from './picked.tsx';
import { RowsLink } from './rows-link.tsx';
import { searchOfValue } from '../../tiles/model/search-link.ts';
import type { ExploreModel } from './model.ts';
import styles from './explore.module.css';

const seen = { isNear: true, isVisible: () => true };

/** What the chart shows, and its numbers. */
export function Result({ model }: { model: ExploreModel }) {
  const { config } = model;
  return isOverTime(config) ? (
    <OverTime model={model} />
  ) : (
    <section className={styles.whole} aria-label="Result">
      <ValueTile name="Chart" config={config} nearness={seen} />
    </section>
  );
}

/** A line of the chart: which series of which group. */
interface LinePlace {
  series: number;
  group: readonly string[];
}

function OverTime({ model }: { model: ExploreModel }) {
  const { config, source } = model;
  const { zone, syncKey, onZoom, onZoomOut } = useScene();
  const query = useSeries(config, seen);
  const data = useTimeData(query.answer);
  const [pickedMs, setPicked] = useState<number>();
  const region = useRef<HTMLElement>(null);
  const { answer } = query;
  const places = useMemo(
    () => (answer ? placesOf(answer.config, answer.results) : new Map<string, LinePlace>()),
    [answer],
  );
  const format = useFormat(config.numberFormat);
  const searchOf = (name: string, span: Span) => {
    const place = places.get(name);
    return place && answer && searchOfValue(answer.config, source.kind, { ...place, span });
  };
  const isEmpty = answer?.results.every((points) => points.length === 0) === true;
  const isCut = groupsOf(config).length > 0 && places.size >= groupsOfLines;
  return (
    <TileState query={query} isEmpty={isEmpty}>
      <section ref={region} className={styles.chart} aria-label="Result">
        <TimeChart
          label="Chart"
          kind={config.displayType === 'stacked_bar' ? 'bars' : 'line'}
          data={data}
          span={answer?.span ?? model.span}
          zone={zone}
          syncKey={syncKey}
          format={format}
          onZoom={onZoom}
          onZoomOut={onZoomOut}
          onPick={(index) => setPicked(data.timesMs[index])}
        />
      </section>
      {isCut && <p className={styles.note}>The {groupsOfLines} largest groups.</p>}
      {pickedMs !== undefined && (
        <Picked
          startMs={pickedMs}
          data={data}
          format={format}
          searchOf={searchOf}
          onClose={() => {
            setPicked(undefined);
            region.current?.querySelector<HTMLElement>('[tabindex]')?.focus();
          }}
        />
      )}
      <NumbersTable
        label="Numbers of each series"
        series={data.series}
        format={format}
        action={(name) => <RowsLink name={name} search={searchOf(name, model.span)} />}
      />
    </TileState>
  );
}

/** By the name that the chart gives to each line. */
function placesOf(
  config: ValueConfig,
  results: readonly (readonly { group?: string[]; other?: boolean }[])[],
): Map<string, LinePlace> {
  const isGrouped = groupsOf(config).length > 0;
  const names = valueNames(config);
  const places = new Map<string, LinePlace>();
  for (const { group = [], other } of results.flat()) {
    names.forEach((value, series) => {
      const named = names.length === 1 ? groupName(group) : `${groupName(group)} · ${value}`;
      if (other !== true) {
        places.set(isGrouped ? named : value, { series, group });
      }
    });
  }
  return places;
}
