import type { Clock } from '../ports/ambient.ts';

export interface RateLimit {
  requests: number;
  windowMs: number;
}

/** How much of the window is left. */
export interface Allowance {
  allowed: boolean;
  resetSeconds: number;
  /** What the answer says about it. */
  headers: Readonly<Record<string, string>>;
}

/**
 * Callers told apart in one window; later ones share a count, so that forged addresses cannot fill
 * the memory.
 */
const maxCallers = 100_000;

/** Fixed windows aligned to the clock, one count per caller. */
export class RateLimiter {
  readonly policy: string;
  readonly limit: RateLimit;
  private readonly clock: Clock;
  private window = -1;
  private counts = new Map<string, number>();

  constructor(limit: RateLimit, clock: Clock) {
    this.limit = limit;
    this.clock = clock;
    this.policy = `${limit.requests};w=${Math.ceil(limit.windowMs / 1000)}`;
  }

  take(caller: string): Allowance {
    const now = this.clock.now();
    const window = Math.floor(now / this.limit.windowMs);
    if (window !== this.window) {
      this.window = window;
      this.counts = new Map();
    }
    const key = this.counts.size < maxCallers || this.counts.has(caller) ? caller : '';
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    const resetSeconds = Math.max(1, Math.ceil(((window + 1) * this.limit.windowMs - now) / 1000));
    const { requests } = this.limit;
    const remaining = Math.max(0, requests - count);
    return {
      allowed: count <= requests,
      resetSeconds,
      headers: {
        'x-ratelimit-limit': String(requests),
        'x-ratelimit-remaining': String(remaining),
        'x-ratelimit-reset': String(resetSeconds),
        'x-ratelimit-policy': this.policy,
      },
    };
  }
}
