import { systemClock } from '../adapters/ambient/clock.ts';
import { createIds } from '../adapters/ambient/ids.ts';
import { createLog } from '../adapters/ambient/log.ts';
import { readConfig } from '../app/config/config.ts';
import { openStore, openVault } from '../app/stores.ts';
import { operatorActions } from '../core/identity/operator-actions.ts';
import type { AdminDeps } from './with-store.ts';

/**
 * Opens the configured store next to a server that may be running, lets the command work on it, and
 * prints its answer.
 */
export async function beside(
  environment: Record<string, string | undefined>,
  command: (deps: AdminDeps) => Promise<string>,
): Promise<void> {
  const { config } = readConfig(environment);
  const store = await openStore(
    config,
    createLog({ level: config.logLevel, destination: process.stderr }),
    { beside: true },
  );
  try {
    const ids = createIds(systemClock);
    const vault = await openVault(config);
    const actor = 'command line';
    const actions = operatorActions({ store, clock: systemClock, ids, vault, actor });
    console.log(await command({ store, actions, ids, vault }));
  } finally {
    await store.close();
  }
}
