import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { findPostgres } from './postgres.ts';

export interface Pgbench {
  /** Stops it; what was committed stays. */
  stop(): Promise<void>;
}

/**
 * The tables of pgbench, with what rows are told apart by, and the engine a target of them needs.
 */
export const pgbenchTables = [
  { table: 'pgbench_accounts', key: ['aid'] },
  { table: 'pgbench_branches', key: ['bid'] },
  { table: 'pgbench_tellers', key: ['tid'] },
  // No key: its rows are only ever added.
  { table: 'pgbench_history', key: [], engine: 'MergeTree' },
] as const;

/** Makes pgbench's tables: 100,000 accounts for each `scale`. */
export function initializePgbench(url: string, scale = 1): void {
  const { status, stderr } = spawnSync(program(), ['-i', '-q', '-s', String(scale), url], {
    encoding: 'utf8',
  });
  if (status !== 0) {
    throw new Error(`pgbench -i failed: ${stderr}`);
  }
  const altered = spawnSync(
    program().replace(/pgbench$/, 'psql'),
    [url, '-c', 'ALTER TABLE pgbench_history REPLICA IDENTITY FULL'],
    { encoding: 'utf8' },
  );
  if (altered.status !== 0) {
    throw new Error(`psql failed: ${altered.stderr}`);
  }
}

/**
 * Runs pgbench's own transactions (three updates, a select, an insert) at a bounded rate until it
 * is stopped.
 */
export function startPgbench(url: string, transactionsPerSecond: number): Pgbench {
  const running = spawn(
    program(),
    ['-n', '-c', '2', '-j', '1', '-R', String(transactionsPerSecond), '-T', '3600', url],
    { stdio: 'ignore' },
  );
  const ended = new Promise<void>((resolve) =>
    running.once('exit', () => {
      resolve();
    }),
  );
  return {
    async stop() {
      running.kill('SIGTERM');
      await ended;
    },
  };
}

function program(): string {
  const folder = findPostgres();
  if (folder === undefined) {
    throw new Error('PostgreSQL was not found');
  }
  return join(folder, 'pgbench');
}
