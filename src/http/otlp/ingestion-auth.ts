import { createHash } from 'node:crypto';
import { Fault } from '../../contract/errors.ts';
import type { Clock } from '../../ports/ambient.ts';
import type { IdentityStore } from '../../ports/store/identity-store.ts';

/** Whose telemetry it is, and where it goes. */
export interface IngestionTarget {
  workspaceId: string;
  database: string;
}

/** Undefined: no such key. @throws Fault `unavailable` when it cannot be found out. */
export type Authenticate = (key: string) => Promise<IngestionTarget | undefined>;

const maxKeys = 10_000;
/** The store is asked at most so often whether any credential changed. */
const checkEveryMs = 1000;
/** With the store away, known keys stay good for so long. */
const maxStaleMs = 60_000;

/** Looks up ingestion keys, and remembers them until a credential changes anywhere. */
export function createIngestionAuth({
  identity,
  clock,
}: {
  identity: Pick<IdentityStore, 'identityRevision' | 'workspaceOfIngestionKey'>;
  clock: Clock;
}): Authenticate {
  const known = new Map<string, IngestionTarget | undefined>();
  let revision: number | undefined;
  let checkedAtMs = -Infinity;
  let confirmedAtMs = -Infinity;
  let checking: Promise<void> | undefined;

  const check = async (): Promise<void> => {
    try {
      const current = await identity.identityRevision();
      if (current !== revision) {
        known.clear();
      }
      revision = current;
      confirmedAtMs = clock.now();
    } catch (error) {
      if (clock.now() - confirmedAtMs > maxStaleMs) {
        throw unavailable(error);
      }
    }
  };
  const refresh = (): Promise<void> => {
    if (checking) {
      return checking;
    }
    checkedAtMs = clock.now();
    checking = check().finally(() => {
      checking = undefined;
    });
    return checking;
  };

  return async (key) => {
    const now = clock.now();
    if (now - checkedAtMs >= checkEveryMs || confirmedAtMs === -Infinity || checking) {
      await refresh();
    }
    const hash = createHash('sha256').update(key).digest('base64');
    if (known.has(hash)) {
      return known.get(hash);
    }
    const seen = revision;
    const workspace = await identity.workspaceOfIngestionKey(hash).catch((error: unknown) => {
      throw unavailable(error);
    });
    const target = workspace && { workspaceId: workspace.id, database: workspace.database };
    if (known.size >= maxKeys) {
      known.clear();
    }
    // A lookup that was overtaken by a change is not worth remembering.
    if (seen === revision) {
      known.set(hash, target);
    }
    return target;
  };
}

/** The key of an Authorization header: the bare key, or `Bearer <key>`. */
export function ingestionKey(header: string | undefined): string | undefined {
  if (header === undefined) {
    return undefined;
  }
  const [first = '', second, ...rest] = header.trim().split(/\s+/);
  if (second === undefined) {
    return first === '' ? undefined : first;
  }
  return first.toLowerCase() === 'bearer' && rest.length === 0 ? second : undefined;
}

function unavailable(cause: unknown): Fault {
  return new Fault('unavailable', 'the ingestion key cannot be checked now; send again later', {
    cause,
    retryAfterSeconds: 2,
  });
}
