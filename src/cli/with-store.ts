import type { OperatorActions } from '../core/identity/operator-actions.ts';
import type { Ids, Vault } from '../ports/ambient.ts';
import type { StoreReader } from '../ports/store/store-access.ts';

export interface AdminDeps {
  store: StoreReader;
  /** The only way to write: each action leaves an audit line. */
  actions: OperatorActions;
  ids: Ids;
  vault: Vault;
}

/** Opens the store, runs one command on it, prints what it answers, closes the store. */
export type WithStore = (command: (deps: AdminDeps) => Promise<string>) => Promise<void>;
