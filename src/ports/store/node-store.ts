/** What one process has received for one telemetry database in the last minutes. */
export interface IngestReport {
  /** Records stored. */
  stored: number;
  /** Records refused for good, inside requests that were accepted. */
  rejected: number;
  /** Requests refused as a whole. */
  refused: number;
  /** The last reason for `rejected` or `refused`, and its time. Safe to show to the sender. */
  last: { reason: string; atMs: number } | null;
}

/** What only the process itself knows. A process of another version may leave parts out. */
export interface NodeReport {
  host: string;
  processId: number;
  /** Resident memory. */
  memoryBytes: number;
  /** The disk of the data directory. Absent if the process keeps nothing there. */
  disk?: { freeBytes: number; totalBytes: number };
  /** By telemetry database. Absent without the role `ingest`. */
  ingest?: Readonly<Record<string, IngestReport>>;
}

/** One process. */
export interface Node {
  /** The name under which the process holds leases. */
  id: string;
  roles: readonly string[];
  version: string;
  startedAtMs: number;
  report: NodeReport;
}

export interface StoredNode extends Node {
  /** Time of the last heartbeat. */
  seenAtMs: number;
}

/** A process without a heartbeat for this long is lost. */
export const nodeLostMs = 30_000;
/** A lost process is forgotten after this time. */
export const nodeForgottenMs = 3_600_000;

/** The processes that share the store. */
export interface NodeStore {
  /** Records that the process is alive, and what it reports. */
  beat(node: Node): Promise<void>;
  /** In the order of their starts, lost ones too. */
  list(): Promise<StoredNode[]>;
  leave(id: string): Promise<void>;
}
