import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { SearchRow } from '../../../api/queries/search.ts';
import type { SourceField } from '../../../api/queries/sources.ts';
import type { RowColumn } from '../../../kit/column-head.tsx';
import { RowTable } from '../../../kit/row-table.tsx';
import { copy } from '../../../kit/state.tsx';
import { Time } from '../../../kit/time.tsx';
import { withValue } from '../../../view/filters.ts';
import { useKeys } from '../../../view/keys.ts';
import { severityOf } from '../../../view/severity.ts';
import { useMedia } from '../../../view/use-media.ts';
import { usePref } from '../../../view/use-pref.ts';
import { formatClock, formatTime, zoneLabel, zoneName } from '../../../view/zone.ts';
import { cellText, defaultWidth, rowTimeMs, severityField, wideColumn } from '../columns.ts';
import type { ExportFormat } from '../export/use-export.ts';
import type { ReadyModel } from '../model.ts';
import { traceLink } from '../trace-link.ts';
import { ColumnMenu } from './column-menu.tsx';
import { RowsBar } from './rows-bar.tsx';
import { rowsAsText } from './row-text.ts';
import styles from './rows.module.css';

/** Least width of the column that grows, in pixels. */
const wideMin = 320;
const timeColumn = '\u0000time';

export interface RowsTableProps {
  model: ReadyModel;
  rows: readonly SearchRow[];
  fields: readonly SourceField[];
  active: number;
  /** The open row, in the list. */
  detail: { index: number; content: ReactNode } | undefined;
  isDimmed: boolean;
  onActive(index: number): void;
  onOpen(index: number): void;
  onStep(by: number): void;
  onEnd(): void;
  onScroll(top: number): void;
  /** Undefined while an export runs. */
  onExport: ((format: ExportFormat) => void) | undefined;
  foot: ReactNode;
}

/** Rows of a search in the chosen columns. */
export function RowsTable(props: RowsTableProps) {
  const { model, rows, active } = props;
  const { source } = model;
  const [zonePref] = usePref('zone');
  const zone = zoneName(zonePref);
  const [widths, setWidths] = usePref('columnWidths');
  const [wrap, setWrap] = usePref('wrapRows');
  const [wrapped, setWrapped] = useState<ReadonlySet<string>>(new Set());
  const [chosenColumn, setColumn] = useState<string>();
  const column = model.columns.find((name) => name === chosenColumn) ?? model.columns[0];
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const severity = severityField(source);
  const isSmall = useMedia('(max-width: 640px)');
  const navigate = useNavigate();

  const idAt = (index: number): string => rows[index]?._id ?? String(index);
  const chosen = selected.size > 0 ? rows.filter(({ _id }) => selected.has(_id ?? '')) : [];
  const toggle = (index: number): void => setSelected(toggled(selected, idAt(index)));
  const cellId = (index: number, name: string): string => `${idAt(index)} ${name}`;
  const filter = (op: 'is' | 'is_not'): void => {
    const value = column === undefined ? undefined : rows[active]?.[column];
    // Conditions test texts and numbers; lists and maps have keys of their own.
    if (column !== undefined && value !== undefined && typeof value !== 'object') {
      model.setFilters(withValue(model.filters, op, column, cellText(value, '', undefined)));
    }
  };
  const target = chosen.length > 0 ? chosen : rows.slice(Math.max(active, 0), active + 1);
  useKeys({
    j: () => props.onStep(1),
    k: () => props.onStep(-1),
    Enter: (event) => {
      if (active >= 0 && event.target === document.body) {
        props.onOpen(active);
      }
    },
    f: () => filter('is'),
    'shift+f': () => filter('is_not'),
    w: () =>
      active >= 0 && column !== undefined
        ? setWrapped(toggled(wrapped, cellId(active, column)))
        : setWrap(!wrap),
    'shift+w': () => setWrap(!wrap),
    x: () => active >= 0 && toggle(active),
    o: () => {
      const link = active < 0 ? undefined : traceLink(rows[active] ?? {}, idAt(active), source);
      if (link) {
        const { traceId, at, span } = link;
        void navigate({ to: '/traces/$traceId', params: { traceId }, search: { at, span } });
      }
    },
    b: () => active >= 0 && model.show({ row: idAt(active), tab: 'context' }),
    c: () => target.length > 0 && void copy(rowsAsText(target, model.columns, 'text'), 'Text'),
    'shift+c': () =>
      target.length > 0 && void copy(rowsAsText(target, model.columns, 'ndjson'), 'JSON'),
  });

  const cell = (index: number, column: string): ReactNode => {
    const row = rows[index];
    if (!row) {
      return null;
    }
    if (column === timeColumn) {
      const ms = rowTimeMs(row._id ?? '0-');
      return <Time ms={ms}>{isSmall ? formatClock(ms, zone, 'ms') : formatTime(ms, zone)}</Time>;
    }
    const text = cellText(row[column], column, source);
    return column === severity ? <span className={styles[severityOf(text)]}>{text}</span> : text;
  };
  return (
    <div className={styles.table} data-dimmed={props.isDimmed || undefined}>
      <RowsBar
        model={model}
        fields={props.fields}
        rows={rows}
        chosen={chosen}
        onExport={props.onExport}
        onClear={() => setSelected(new Set())}
      />
      <RowTable
        label="Rows"
        columns={tableColumns(model, widths, zone, isSmall)}
        rowCount={rows.length}
        rowKey={idAt}
        cell={cell}
        rowClass={(index) =>
          severity === undefined ? undefined : styles[`edge-${severityOf(rows[index]?.[severity])}`]
        }
        active={active}
        detail={props.detail}
        onActive={props.onActive}
        onOpen={props.onOpen}
        activeColumn={column}
        onActiveColumn={setColumn}
        isWrapped={(index, name) => wrapped.has(cellId(index, name))}
        isSelected={(index) => selected.has(idAt(index))}
        onSelect={(from, to) => {
          const [first, last] = from < to ? [from, to] : [to, from];
          const ids = rows.slice(first, last + 1).map((_, at) => idAt(first + at));
          setSelected(new Set([...selected, ...ids]));
        }}
        wrap={wrap}
        onResize={(column, width) => {
          if (column !== timeColumn) {
            setWidths({ ...widths, [column]: width });
          }
        }}
        onEnd={props.onEnd}
        onScroll={props.onScroll}
        foot={props.foot}
      />
    </div>
  );
}

/** The set with the member, or without it if it had it. */
function toggled(set: ReadonlySet<string>, member: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(member)) {
    next.add(member);
  }
  return next;
}

function tableColumns(
  model: ReadyModel,
  widths: Record<string, number>,
  zone: string,
  isSmall: boolean,
): RowColumn[] {
  const { source, params } = model;
  const wide = wideColumn(source, model.columns);
  const columns = isSmall && wide !== undefined ? [wide] : model.columns;
  const time: RowColumn = {
    name: timeColumn,
    label: `Time (${zoneLabel(zone, model.span.endMs)})`,
    width: isSmall ? 104 : 172,
  };
  const others = columns.map((name): RowColumn => {
    const [field, direction] = (params.order ?? '').split(/ (?=(?:ASC|DESC)$)/);
    const sign = direction === 'DESC' ? 'descending' : 'ascending';
    return {
      name,
      label: name,
      width: isSmall
        ? 120
        : (widths[name] ?? (name === wide ? wideMin : defaultWidth(name, source))),
      grows: name === wide,
      sorted: field === name ? sign : undefined,
      menu: <ColumnMenu model={model} name={name} />,
    };
  });
  return [time, ...others];
}
