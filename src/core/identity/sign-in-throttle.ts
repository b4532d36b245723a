import { Fault } from '../../contract/errors.ts';
import type { Clock } from '../../ports/ambient.ts';

const windowMs = 15 * 60_000;
const perAccount = 5;
const perAddress = 20;
/** Accounts and addresses that are remembered; beyond that, the oldest are forgotten. */
const rememberedMax = 100_000;

/** Limits failed sign-ins of an account and of an address. Counted in this process. */
export class SignInThrottle {
  readonly #clock: Clock;
  /** Times of failures, oldest first. */
  readonly #failures = new Map<string, number[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Counts an attempt as a failure until `succeeded` is called, so that attempts at the same time
   * do not pass together. @throws Fault rate_limited
   */
  begin(account: string, address: string): { succeeded(): void } {
    const now = this.#clock.now();
    const places = [
      [`account ${account.toLowerCase()}`, perAccount],
      [`address ${address}`, perAddress],
    ] as const;
    for (const [place, max] of places) {
      const times = this.#recent(place, now);
      if (times.length >= max) {
        const seconds = Math.max(1, Math.ceil(((times[0] ?? now) + windowMs - now) / 1000));
        throw new Fault('rate_limited', `Too many failed sign-ins. Try again in ${seconds} s.`, {
          retryAfterSeconds: seconds,
        });
      }
    }
    for (const [place] of places) {
      this.#keep(place, [...this.#recent(place, now), now]);
    }
    return {
      succeeded: () => {
        this.#failures.delete(places[0][0]);
        const times = this.#recent(places[1][0], now);
        this.#keep(places[1][0], times.toSpliced(times.lastIndexOf(now), 1));
      },
    };
  }

  #recent(place: string, now: number): number[] {
    return (this.#failures.get(place) ?? []).filter((time) => time > now - windowMs);
  }

  #keep(place: string, times: number[]): void {
    // Written again, so that the order of the map is that of the last attempts.
    this.#failures.delete(place);
    if (times.length === 0) {
      return;
    }
    this.#failures.set(place, times);
    for (const oldest of this.#failures.keys()) {
      if (this.#failures.size <= rememberedMax) {
        break;
      }
      this.#failures.delete(oldest);
    }
  }
}
