import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Trace, TraceSpan } from '../../../api/queries/trace.ts';
import { BareInput } from '../../../kit/field.tsx';
import { searchParams, spanFilters, type SpanSource } from '../model/search-links.ts';
import { attributesOf, plainColumns } from '../model/span-row.ts';
import { AttributeList } from './attribute-list.tsx';
import panel from '../../../kit/panel.module.css';

interface SpanAttributesProps {
  trace: Trace;
  span: TraceSpan;
  row: Record<string, unknown>;
  source: SpanSource | undefined;
}

/** Attributes of the span, of its resource, and its other columns. */
export function SpanAttributes({ trace, span, row, source }: SpanAttributesProps) {
  const [text, setText] = useState('');
  const own = source?.eventAttributesExpression ?? 'SpanAttributes';
  const resource = source?.resourceAttributesExpression ?? 'ResourceAttributes';
  const columns = plainColumns(row, shownElsewhere(source));
  const word = text.trim().toLowerCase();
  const matches = ({ name, value }: { name: string; value: string }): boolean =>
    `${name} ${value}`.toLowerCase().includes(word);
  const lists = [
    { title: 'Attributes', prefix: `${own}.`, values: attributesOf(row[own]) },
    { title: 'Resource', prefix: `${resource}.`, values: attributesOf(row[resource]) },
    { title: 'Columns', prefix: '', values: columns },
  ].map((list) => ({ ...list, values: list.values.filter(matches) }));
  return (
    <>
      <div className={panel.find}>
        <BareInput
          label="Find in names and values"
          placeholder="Find in names and values"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      {lists.map((list) => (
        <AttributeList key={list.title} {...list} trace={trace} source={source} />
      ))}
      {lists.every(({ values }) => values.length === 0) && (
        <p className={panel.nothing}>
          {word === '' ? 'The span has no attributes.' : `Nothing matches “${text}”.`}
        </p>
      )}
      {source && (
        <p className={panel.nothing}>
          <Link
            to="/search"
            search={searchParams(source, trace, spanFilters(source, trace.traceId), span._id)}
          >
            Open the span in search
          </Link>
        </p>
      )}
    </>
  );
}

/** Columns that the head of the panel and its other lists show. */
function shownElsewhere(source: SpanSource | undefined): ReadonlySet<string> {
  const names = [
    source?.spanNameExpression,
    source?.serviceNameExpression,
    source?.spanKindExpression,
    source?.statusCodeExpression,
    source?.statusMessageExpression,
    source?.durationExpression,
    source?.traceIdExpression,
  ];
  return new Set(names.filter((name) => name !== undefined));
}
