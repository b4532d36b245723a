import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { FirstCredentials } from '../../core/identity/bootstrap.ts';
import { credentialHash } from '../../core/identity/credentials.ts';
import type { Vault } from '../../ports/ambient.ts';
import type { Store } from '../../ports/store/store.ts';
import type { Config } from '../config/config.ts';

const context = 'first credentials';

/**
 * The credentials of the first start, sealed in the data directory until somebody signs in with the
 * password or uses one of the keys. Other keys do not count, such as those of the demo. A start that
 * fails after it filled the store does not lose them.
 */
export class FirstCredentialsFile {
  readonly #path: string;
  readonly #vault: Vault;
  readonly #store: Pick<Store, 'identity'>;

  constructor(config: Config, vault: Vault, store: Pick<Store, 'identity'>) {
    this.#path = join(config.dataDir, 'first-credentials');
    this.#vault = vault;
    this.#store = store;
  }

  /** Called before the store commits them. */
  keep(first: FirstCredentials): void {
    const text = JSON.stringify({ ...first, madeUp: [...first.madeUp] });
    const next = `${this.#path}.next`;
    writeFileSync(next, this.#vault.seal(text, context), { mode: 0o600, flush: true });
    renameSync(next, this.#path);
    const folder = openSync(dirname(this.#path), 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  }

  /** Undefined if there are none, or if somebody has used them. */
  async unused(): Promise<FirstCredentials | undefined> {
    const first = this.#read();
    if (first && (await this.#isUsed(first))) {
      rmSync(this.#path, { force: true });
      return undefined;
    }
    return first;
  }

  #read(): FirstCredentials | undefined {
    try {
      const text = this.#vault.open(readFileSync(this.#path, 'utf8'), context);
      const first = JSON.parse(text) as FirstCredentials & { madeUp: string[] };
      return { ...first, madeUp: new Set(first.madeUp) as FirstCredentials['madeUp'] };
    } catch {
      // None, or sealed under another key: the store has only hashes of them.
      return undefined;
    }
  }

  /** One of the keys has been used or is gone, or the user is signed in. */
  async #isUsed({ accessKey, keyId }: FirstCredentials): Promise<boolean> {
    const { identity } = this.#store;
    const access = await identity.accessKeyByHash(credentialHash(accessKey));
    const organizationKey = await identity.organizationKeyByIdHash(credentialHash(keyId));
    if (!access || !organizationKey) {
      return true;
    }
    const sessions = await identity.sessions(access.user.id);
    return (
      access.key.usedAtMs !== null || organizationKey.usedAtMs !== null || sessions.length > 0
    );
  }
}
