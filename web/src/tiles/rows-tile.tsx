import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { isRowSource, sourcesQuery } from '../api/queries/sources.ts';
import { RowTable } from '../kit/row-table.tsx';
import { splitList } from '../view/split-list.ts';
import { writeFilters, type Filter } from '../view/filters.ts';
import { formatTime, zoneLabel } from '../view/zone.ts';
import { askRows } from './ask.ts';
import { rowsRequest, type SearchConfig } from './model/requests.ts';
import { useScene } from './scene.ts';
import { TileState } from './tile-state.tsx';
import { useTileQuery, type Nearness } from './use-tile-query.ts';
import styles from './tiles.module.css';

interface RowsTileProps {
  name: string;
  config: SearchConfig;
  nearness: Nearness;
}

const timeColumn = '\u0000time';

/** The newest rows of a search; Enter or a click opens a row in the search screen. */
export function RowsTile({ name, config, nearness }: RowsTileProps) {
  const { span, runId, zone, filtersOf } = useScene();
  const navigate = useNavigate();
  const filters = filtersOf(config.sourceId);
  const { data: sources } = useQuery(sourcesQuery);
  const source = sources?.filter(isRowSource).find(({ id }) => id === config.sourceId);
  const bodies = [rowsRequest(config, { span, filters })];
  const query = useTileQuery({ config, span, runId, bodies, ask: askRows }, nearness);
  const [active, setActive] = useState(-1);
  const page = query.answer?.results[0];
  const rows = page?.rows ?? [];
  const columns = (page?.columns ?? []).filter(
    (column) => column.name !== source?.timestampValueExpression,
  );
  const idAt = (index: number): string => String(rows[index]?.['_id'] ?? index);
  const open = (index: number): void => {
    void navigate({
      to: '/search',
      search: {
        source: config.sourceId,
        q: config.where || undefined,
        lang: config.whereLanguage === 'sql' ? 'sql' : undefined,
        filters: filters.length > 0 ? writeFilters(filters.map(urlFilter)) : undefined,
        cols: config.select ? splitList(config.select) : undefined,
        order: config.orderBy || undefined,
        from: Math.floor(span.startMs),
        to: Math.ceil(span.endMs),
        row: idAt(index),
      },
    });
  };
  return (
    <TileState query={query} isEmpty={rows.length === 0}>
      <div className={styles.rows}>
        <RowTable
          label={name === '' ? 'Rows' : name}
          columns={[
            { name: timeColumn, label: `Time (${zoneLabel(zone, span.endMs)})`, width: 172 },
            ...columns.map((column, index) => ({
              name: column.name,
              label: column.name,
              width: 120,
              grows: index === columns.length - 1,
            })),
          ]}
          rowCount={rows.length}
          rowKey={idAt}
          cell={(index, column) =>
            column === timeColumn
              ? formatTime(timeOf(idAt(index)), zone)
              : cellText(rows[index]?.[column])
          }
          active={active}
          onActive={setActive}
          onOpen={open}
        />
      </div>
      {page?.cursor !== undefined && (
        <p className={styles.rowsNote}>The first {rows.length} rows. Search has the rest.</p>
      )}
    </TileState>
  );
}

function urlFilter(filter: ReturnType<typeof rowsRequest>['filters'][number]): Filter {
  if (filter.type === 'field') {
    const { type: _, ...rest } = filter;
    return rest;
  }
  return { op: filter.type, condition: filter.condition };
}

/** Milliseconds of a row, from the time in its `_id`. */
function timeOf(id: string): number {
  const nanos = /^\d+(?=-)/.exec(id)?.[0];
  return nanos === undefined ? 0 : Number(BigInt(nanos) / 1_000_000n);
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) {
    return '';
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
