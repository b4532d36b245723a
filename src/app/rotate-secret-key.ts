import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { loadKeys, parseKey, replaceKeys } from '../adapters/vault/key.ts';
import { createVault } from '../adapters/vault/vault.ts';
import { ingestionKeyContext } from '../core/identity/provision.ts';
import { sealContext } from '../core/pipes/definition.ts';
import { webhookContext } from '../core/webhook/webhook-secrets.ts';
import { answerContext } from '../http/idempotency.ts';
import type { Log, Vault } from '../ports/ambient.ts';
import {
  secretPlaces,
  type SecretPlace,
  type SecretStore,
  type StoredSecret,
} from '../ports/store/secret-store.ts';
import type { Config } from './config/config.ts';
import { keyPath, openStore } from './stores.ts';

export interface RotationReport {
  sealed: number;
  /** Values that neither key opens. */
  unreadable: readonly { place: SecretPlace; key: readonly string[] }[];
  /** Where the old key was written to; absent if the keys come from settings. */
  oldKeyFile?: string;
}

export interface RotationOptions {
  config: Config;
  log: Log;
  /** How long a server may take from sealing a value to storing it. */
  quietMs?: number;
}

interface Keys {
  current: Buffer;
  previous: Buffer;
  /** Since when servers have been able to learn the current key, as a Unix time in milliseconds. */
  sinceMs: number;
  /** Called after everything is sealed under the current key. */
  finish(): string | undefined;
}

const pageSize = 200;

/**
 * Seals everything again under a new key, while servers run. They accept both keys until it is done.
 * It can be killed at any point: the next call continues.
 */
export async function rotateSecretKey({
  config,
  log,
  quietMs = 10_000,
}: RotationOptions): Promise<RotationReport> {
  const store = await openStore(config, log, { beside: true, complete: true });
  try {
    const keys = config.secretKey === undefined ? fileKeys(config) : settingKeys(config);
    const current = createVault(keys.current);
    const previous = createVault(keys.previous);
    let sealed = 0;
    for (;;) {
      const pass = await sealAll(store.secrets, current, previous);
      sealed += pass.sealed;
      // A killed rotation may have sealed everything just now.
      if (pass.sealed === 0 && Date.now() - keys.sinceMs >= quietMs) {
        const oldKeyFile = pass.unreadable.length === 0 ? keys.finish() : undefined;
        return {
          sealed,
          unreadable: pass.unreadable,
          ...(oldKeyFile !== undefined && { oldKeyFile }),
        };
      }
      // A server may have sealed a value under the old key that it has not stored yet.
      await pause(quietMs);
    }
  } finally {
    await store.close();
  }
}

/** Both keys are in the file until the rotation is done, so that a killed one continues. */
function fileKeys(config: Config): Keys {
  const path = keyPath(config);
  const [first, second] = loadKeys(path) ?? [];
  if (first === undefined) {
    throw new Error(`${path} does not exist: start the server once`);
  }
  const current = second === undefined ? randomBytes(32) : first;
  const previous = second ?? first;
  if (second === undefined) {
    replaceKeys(path, [current, previous]);
  }
  return {
    current,
    previous,
    sinceMs: statSync(path).mtimeMs,
    finish() {
      const oldKeyFile = `${path}.old`;
      replaceKeys(oldKeyFile, [previous]);
      replaceKeys(path, [current]);
      return oldKeyFile;
    },
  };
}

function settingKeys({ secretKey, previousSecretKey }: Config): Keys {
  if (secretKey === undefined || previousSecretKey === undefined) {
    throw new Error(
      'set SIGHTLINE_SECRET_KEY to the new key and SIGHTLINE_PREVIOUS_SECRET_KEY to the old one, ' +
        'restart every server with both settings, and run this command with them again',
    );
  }
  const current = parseKey(secretKey);
  const previous = parseKey(previousSecretKey);
  return { current, previous, sinceMs: 0, finish: () => undefined };
}

interface Pass {
  sealed: number;
  unreadable: RotationReport['unreadable'];
}

async function sealAll(store: SecretStore, current: Vault, previous: Vault): Promise<Pass> {
  let sealed = 0;
  const unreadable: StoredSecret[] = [];
  for (const place of secretPlaces) {
    let after: readonly string[] = [];
    for (;;) {
      const page = await store.page(place, after, pageSize);
      for (const secret of page) {
        const state = secret.sealed === '' ? 'current' : await sealOne(store, secret);
        if (state === 'unreadable') {
          unreadable.push(secret);
        } else if (state === 'sealed') {
          sealed++;
        }
      }
      const last = page.at(-1);
      if (last === undefined) {
        break;
      }
      after = last.key;
    }
  }
  return { sealed, unreadable: unreadable.map(({ place, key }) => ({ place, key })) };

  async function sealOne(
    secrets: SecretStore,
    secret: StoredSecret,
  ): Promise<'current' | 'sealed' | 'unreadable'> {
    const context = contextOf(secret);
    if (openWith(current, secret.sealed, context) !== undefined) {
      return 'current';
    }
    const plain = openWith(previous, secret.sealed, context);
    if (plain === undefined) {
      return 'unreadable';
    }
    // False: a server has stored another value meanwhile, which the next pass sees.
    await secrets.replace(secret, current.seal(plain, context));
    return 'sealed';
  }
}

function openWith(vault: Vault, sealed: string, context: string): string | undefined {
  try {
    return vault.open(sealed, context);
  } catch {
    return undefined;
  }
}

function contextOf({ place, key: [first = '', second = '', third = ''] }: StoredSecret): string {
  switch (place) {
    case 'document':
      return second === 'pipe'
        ? sealContext(third)
        : webhookContext({ workspaceId: first, id: third });
    case 'parting':
      return sealContext(second);
    case 'ingestionKey':
      return ingestionKeyContext(first);
    case 'answer':
      return answerContext({ credential: first, key: second });
  }
}
