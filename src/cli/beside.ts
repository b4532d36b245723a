import { systemClock } from '../adapters/ambient/clock.ts';
import { createIds } from '../adapters/ambient/ids.ts';
import { createLog } from '../adapters/ambient/log.ts';
import { readConfig } from '../config.ts';
import { openStore, openVault } from '../open-stores.ts';
import { operatorStore } from '../core/resources/audit-operator.ts';
import type { AdminDeps } from './admin.ts';

/** Opens the configured store next to a server that may be running, lets the command work on it, and prints its answer. */
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
    console.log(
      await command({
        store: operatorStore(store, { clock: systemClock, ids, actor: 'command line' }),
        ids,
        vault: await openVault(config),
      }),
    );
  } finally {
    await store.close();
  }
}
