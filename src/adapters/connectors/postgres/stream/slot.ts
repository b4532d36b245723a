import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { SourceFailed } from '../../../../ports/connector.ts';
import type { ExportedSnapshot } from '../snapshot/exported-snapshot.ts';
import { parseLsn, type Lsn } from '../wire/lsn.ts';
import { quoteName } from '../wire/quote.ts';
import type { RawConnection } from '../wire/raw-connection.ts';

export interface SlotState {
  confirmed: Lsn;
  /** Bytes of WAL that the server retains for the slot. */
  retainedBytes: number;
  /**
   * Whether the server still has the WAL that the slot needs. `endangered`: it is about to remove
   * some of it.
   */
  status: 'kept' | 'endangered' | 'lost';
}

/** Undefined if the slot does not exist. @throws SourceFailed if the pipe cannot read the slot */
export async function readSlot(client: Client, name: string): Promise<SlotState | undefined> {
  const {
    rows: [row],
  } = await client.query<{
    plugin: string | null;
    here: boolean;
    confirmed: string | null;
    retained: string | null;
    status: string | null;
  }>(slotQuery, [name]);
  if (!row) {
    return undefined;
  }
  if (row.plugin !== 'pgoutput') {
    throw new SourceFailed(
      `replication slot "${name}" does not use the pgoutput plugin. ` +
        'Set replicationSlotName to a slot that does, or omit it.',
    );
  }
  if (!row.here) {
    throw new SourceFailed(
      `replication slot "${name}" belongs to another database. ` +
        'Set replicationSlotName to a slot of source.postgres.database, or omit it.',
    );
  }
  return {
    confirmed: parseLsn(row.confirmed ?? '0/0'),
    retainedBytes: Number(row.retained ?? 0),
    status: statusOf(row),
  };
}

function statusOf(row: { status: string | null; confirmed: string | null }): SlotState['status'] {
  if (row.status === 'lost' || row.confirmed === null) {
    return 'lost';
  }
  return row.status === 'unreserved' ? 'endangered' : 'kept';
}

const slotQuery = `
SELECT plugin, database = current_database() AS here, confirmed_flush_lsn::text AS confirmed,
       wal_status AS status,
       (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END
        - restart_lsn)::text AS retained
FROM pg_catalog.pg_replication_slots WHERE slot_name = $1`;

/**
 * Creates a slot, which waits for the transactions that run at the time. The server drops a
 * temporary slot when its connection ends. @throws ServerRefused
 */
export async function createSlot(
  raw: RawConnection,
  name: string,
  { temporary, failover }: { temporary: boolean; failover: boolean },
): Promise<ExportedSnapshot> {
  const options = failover ? "(SNAPSHOT 'export', FAILOVER true)" : 'EXPORT_SNAPSHOT';
  const [[, lsn, snapshot]] = (await raw.run(
    `CREATE_REPLICATION_SLOT ${quoteName(name)}${temporary ? ' TEMPORARY' : ''} LOGICAL pgoutput ${options}`,
  )) as [[slot: string, lsn: string, snapshot: string, plugin: string]];
  return {
    name: snapshot,
    lsn: parseLsn(lsn),
    close: () => {
      raw.close();
    },
  };
}

const dropWaitMs = 10_000;

/** Drops a slot, even if a connection still reads it. */
export async function dropSlot(client: Client, name: string): Promise<void> {
  const deadline = Date.now() + dropWaitMs;
  for (;;) {
    const {
      rows: [slot],
    } = await client.query<{ pid: number | null }>(
      'SELECT active_pid AS pid FROM pg_catalog.pg_replication_slots WHERE slot_name = $1',
      [name],
    );
    if (!slot) {
      return;
    }
    if (slot.pid !== null) {
      await client.query('SELECT pg_terminate_backend($1)', [slot.pid]);
    } else {
      await client.query('SELECT pg_drop_replication_slot($1)', [name]);
      return;
    }
    if (Date.now() > deadline) {
      throw new SourceFailed(
        `cannot drop replication slot "${name}": another connection uses it. ` +
          `Stop that connection, or run pg_drop_replication_slot('${name}').`,
      );
    }
    await pause(50);
  }
}

/** Returns the slot. @throws SourceFailed if it is gone or has lost the WAL it needs */
export function requireSlot(slot: SlotState | undefined, name: string): SlotState {
  if (!slot) {
    throw new SourceFailed(slotGone(name));
  }
  if (slot.status === 'lost') {
    throw new SourceFailed(walLost(name));
  }
  return slot;
}

export function slotGone(slot: string): string {
  return (
    `replication slot "${slot}" no longer exists, so the changes since the last sync are lost. ` +
    'Resync the pipe.'
  );
}

export function walLost(slot: string): string {
  return (
    `the server has removed WAL that replication slot "${slot}" still needed. ` +
    'Resync the pipe, and increase max_slot_wal_keep_size at the server.'
  );
}
