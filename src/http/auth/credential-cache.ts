import type { Clock } from '../../ports/ambient.ts';
import type { IdentityStore } from '../../ports/store/identity-store.ts';

const maxEntries = 10_000;
const pollMs = 1000;

/**
 * What credential lookups answered, for as long as no credential, membership or workspace changed.
 * Changes on other nodes are seen by polling the store's identity revision at most once a second;
 * whoever changes something on this node calls `clear`.
 */
export class CredentialCache<T> {
  private readonly identity: Pick<IdentityStore, 'identityRevision'>;
  private readonly clock: Clock;
  private entries = new Map<string, T>();
  private revision: number | undefined;
  private checkedAtMs = -Infinity;
  private checking: Promise<void> | undefined;

  constructor(identity: Pick<IdentityStore, 'identityRevision'>, clock: Clock) {
    this.identity = identity;
    this.clock = clock;
  }

  /**
   * What is known about a key; a promise only when it has to be asked. What does not exist is not
   * remembered.
   */
  get(key: string, lookUp: () => Promise<T | undefined>): T | undefined | Promise<T | undefined> {
    const age = this.clock.now() - this.checkedAtMs;
    if (age >= 0 && age < pollMs) {
      return this.entries.get(key) ?? this.fill(key, lookUp);
    }
    return this.refresh().then(() => this.entries.get(key) ?? this.fill(key, lookUp));
  }

  clear(): void {
    this.entries = new Map();
  }

  /** Looks up and remembers a value, unless the cache was cleared meanwhile. */
  private async fill(key: string, lookUp: () => Promise<T | undefined>): Promise<T | undefined> {
    const { entries } = this;
    const value = await lookUp();
    if (value !== undefined && entries === this.entries) {
      if (entries.size >= maxEntries) {
        deleteOldest(entries);
      }
      entries.set(key, value);
    }
    return value;
  }

  /** Asks for the revision once at a time, however many requests wait for it. */
  private refresh(): Promise<void> {
    this.checking ??= (async () => {
      const askedAtMs = this.clock.now();
      const revision = await this.identity.identityRevision();
      if (revision !== this.revision) {
        this.clear();
      }
      this.revision = revision;
      this.checkedAtMs = askedAtMs;
    })().finally(() => {
      this.checking = undefined;
    });
    return this.checking;
  }
}

function deleteOldest(entries: Map<string, unknown>): void {
  for (const key of entries.keys()) {
    entries.delete(key);
    return;
  }
}
