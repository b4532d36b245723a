import { ingestWindowSeconds, type IngestStatus } from '../../contract/status.ts';
import { nodeLostMs, type StoredNode } from '../../ports/store/node-store.ts';

/** What all processes received for one database. The figures of a lost process are outdated. */
export function ingestStatus(
  nodes: readonly StoredNode[],
  database: string,
  nowMs: number,
): IngestStatus {
  const reports = nodes
    .filter(({ seenAtMs }) => nowMs - seenAtMs <= nodeLostMs)
    .flatMap(({ report: { ingest = {} } }) =>
      Object.hasOwn(ingest, database) ? (ingest[database] ?? []) : [],
    );
  const sum = (figure: 'stored' | 'rejected' | 'refused'): number =>
    reports.reduce((total, report) => total + report[figure], 0);
  const [last] = reports.flatMap((report) => report.last ?? []).toSorted((a, b) => b.atMs - a.atMs);
  const storedRecords = sum('stored');
  return {
    windowSeconds: ingestWindowSeconds,
    storedRecords,
    recordsPerSecond: Math.round((storedRecords / ingestWindowSeconds) * 10) / 10,
    rejectedRecords: sum('rejected'),
    refusedRequests: sum('refused'),
    ...(last && { lastRefusal: { reason: last.reason, at: new Date(last.atMs).toISOString() } }),
  };
}
