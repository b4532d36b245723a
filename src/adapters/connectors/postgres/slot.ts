import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { SourceFailed } from '../../../ports/connector.ts';
import { parseLsn, type Lsn } from './lsn.ts';
import { slotGone } from './postgres-errors.ts';
import { quoteName } from './quote.ts';
import type { RawConnection } from './raw-connection.ts';

export interface SlotState {
  confirmed: Lsn;
  /** Bytes of log that the server keeps for it. */
  retainedBytes: number;
  /** The server has thrown away, or is about to, what the slot needs. */
  status: 'kept' | 'endangered' | 'lost';
}

/** @throws SourceFailed where it is not a slot that can be read. */
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
      `the replication slot ${name} is not one of pgoutput: give another replicationSlotName, or leave it out`,
    );
  }
  if (!row.here) {
    throw new SourceFailed(`the replication slot ${name} belongs to another database`);
  }
  const status =
    row.status === 'lost' || row.confirmed === null
      ? 'lost'
      : row.status === 'unreserved'
        ? 'endangered'
        : 'kept';
  return {
    confirmed: parseLsn(row.confirmed ?? '0/0'),
    retainedBytes: Number(row.retained ?? 0),
    status,
  };
}

const slotQuery = `
SELECT plugin, database = current_database() AS here, confirmed_flush_lsn::text AS confirmed, wal_status AS status,
       (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END - restart_lsn)::text AS retained
FROM pg_catalog.pg_replication_slots WHERE slot_name = $1`;

/** A snapshot that other connections can use for as long as this one runs nothing else, and the place in the log it stands for. */
export interface ExportedSnapshot {
  name: string;
  at: Lsn;
  /** Ends the transaction that holds it: until then the server cannot clear away old rows. */
  close(): void;
}

/** Makes a slot; it waits for the transactions that run at the time. A temporary one goes with its connection. @throws ServerRefused */
export async function createSlot(
  raw: RawConnection,
  name: string,
  { temporary, failover }: { temporary: boolean; failover: boolean },
): Promise<ExportedSnapshot> {
  const how = failover ? "(SNAPSHOT 'export', FAILOVER true)" : 'EXPORT_SNAPSHOT';
  const rows = await raw.run(
    `CREATE_REPLICATION_SLOT ${quoteName(name)}${temporary ? ' TEMPORARY' : ''} LOGICAL pgoutput ${how}`,
  );
  const [, at, snapshot] = rows[0]!;
  return {
    name: snapshot!,
    at: parseLsn(at!),
    close: () => {
      raw.close();
    },
  };
}

/** Without a slot: for a pipe that only takes a snapshot. Such a server may be a standby, and need not write a logical log. */
export async function exportSnapshot(raw: RawConnection): Promise<ExportedSnapshot> {
  await raw.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const [[name, at]] = (await raw.run(
    'SELECT pg_export_snapshot(), CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END',
  )) as [[string, string]];
  return {
    name,
    at: parseLsn(at),
    close: () => {
      raw.close();
    },
  };
}

const dropWaitMs = 10_000;

/** Drops it, whoever still reads it. */
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
      throw new SourceFailed(`the replication slot ${name} is in use and could not be dropped`);
    }
    await pause(50);
  }
}

/** A slot of the pipe's own that it had read before must still be there. @throws SourceFailed */
export function requireSlot(slot: SlotState | undefined, name: string): SlotState {
  if (!slot) {
    throw new SourceFailed(slotGone(name));
  }
  if (slot.status === 'lost') {
    throw new SourceFailed(
      `the server has given up the log that the replication slot ${name} still needed: resync the pipe, and raise max_slot_wal_keep_size there`,
    );
  }
  return slot;
}
