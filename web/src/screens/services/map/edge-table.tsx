import { useState } from 'react';
import type { ServiceEdge } from '../../../api/queries/services.ts';
import type { Figures } from '../model/figures.ts';
import { ordered, type Order } from '../model/order.ts';
import { FiguresTable } from '../list/figures-table.tsx';
import { ServiceLink } from '../list/service-link.tsx';
import { NodeName } from './node-name.tsx';

interface EdgeTableProps {
  label: string;
  /** Which end the rows are named by; absent: both. */
  end?: 'caller' | 'callee';
  edges: readonly ServiceEdge[];
  seconds: number;
}

interface EdgeFigures extends Figures {
  edge: ServiceEdge;
}

const noLines = new Map<string, never>();

/** Calls between nodes with their figures, worst first. */
export function EdgeTable({ label, end, edges, seconds }: EdgeTableProps) {
  const [order, setOrder] = useState<Order>({ column: undefined, isUp: false });
  const rows = ordered(
    edges.map((edge): EdgeFigures => ({ ...figuresOf(edge), edge })),
    order,
  );
  const byName = new Map(rows.map((row) => [row.name, row.edge]));
  return (
    <FiguresTable
      label={label}
      nameLabel={label}
      rows={rows}
      lines={noLines}
      seconds={seconds}
      order={order}
      onOrder={setOrder}
      title={({ name }) => {
        const edge = byName.get(name);
        return edge && <EdgeTitle edge={edge} end={end} />;
      }}
    />
  );
}

function EdgeTitle({ edge, end }: { edge: ServiceEdge; end: EdgeTableProps['end'] }) {
  return (
    <>
      {end !== 'callee' && <ServiceLink name={edge.caller} />}
      {end === undefined && ' → '}
      {end !== 'caller' && <NodeName kind={edge.calleeKind} name={edge.callee} />}
    </>
  );
}

const figuresOf = ({ caller, callee, calleeKind, ...rest }: ServiceEdge): Figures => ({
  name: `${caller} → ${callee} ${calleeKind}`,
  calls: rest.calls,
  errors: rest.errors,
  p50: rest.p50Nanos,
  p95: rest.p95Nanos,
  p99: rest.p99Nanos,
});
