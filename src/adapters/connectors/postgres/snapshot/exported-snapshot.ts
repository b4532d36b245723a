import { parseLsn, type Lsn } from '../wire/lsn.ts';
import type { RawConnection } from '../wire/raw-connection.ts';

/** A snapshot that other connections can use until the connection that exported it runs a command. */
export interface ExportedSnapshot {
  name: string;
  /** The place in the WAL at which the snapshot was taken. */
  lsn: Lsn;
  /** Ends the exporting transaction. Until then the server cannot remove old row versions. */
  close(): void;
}

/**
 * Exports a snapshot without a slot, for a pipe that only copies. The server may be a standby, and
 * need not have `wal_level = logical`.
 */
export async function exportSnapshot(raw: RawConnection): Promise<ExportedSnapshot> {
  await raw.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const [[name, lsn]] = (await raw.run(exportQuery)) as [[string, string]];
  return {
    name,
    lsn: parseLsn(lsn),
    close: () => {
      raw.close();
    },
  };
}

const exportQuery = `
SELECT pg_export_snapshot(),
       CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END`;
