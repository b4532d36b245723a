import type { Clock, Log } from '../../ports/ambient.ts';
import type { IdentityStore } from '../../ports/store/identity-store.ts';

const minuteMs = 60_000;

/**
 * Remembers when keys were used, to the minute, and writes it in batches: a request never waits for
 * it.
 */
export class KeyUsage {
  private readonly identity: Pick<IdentityStore, 'touchKeys'>;
  private readonly clock: Clock;
  private readonly log: Log;
  private readonly timer: NodeJS.Timeout;
  private recorded = new Map<string, number>();
  private pending = new Map<
    string,
    { kind: 'access' | 'organization' | 'session'; id: string; usedAtMs: number }
  >();

  constructor(identity: Pick<IdentityStore, 'touchKeys'>, clock: Clock, log: Log, flushMs = 5000) {
    this.identity = identity;
    this.clock = clock;
    this.log = log;
    this.timer = setInterval(() => void this.flush(), flushMs);
    this.timer.unref();
  }

  record(kind: 'access' | 'organization' | 'session', id: string): void {
    const usedAtMs = Math.floor(this.clock.now() / minuteMs) * minuteMs;
    if (this.recorded.get(id) === usedAtMs) {
      return;
    }
    this.recorded.set(id, usedAtMs);
    this.pending.set(id, { kind, id, usedAtMs });
  }

  /** Writes what is pending; what cannot be written is kept for the next time. */
  async flush(): Promise<void> {
    if (this.pending.size === 0) {
      return;
    }
    const uses = this.pending;
    this.pending = new Map();
    try {
      await this.identity.touchKeys([...uses.values()]);
      if (this.recorded.size > 10_000) {
        this.recorded = new Map();
      }
    } catch (error) {
      for (const [id, use] of uses) {
        if (!this.pending.has(id)) {
          this.pending.set(id, use);
        }
      }
      this.log.warn({ err: error }, 'cannot save last-used times of keys; retrying');
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }
}
