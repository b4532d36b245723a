import { Fault } from '../../contract/errors.ts';
import { hashPassword, randomText, verifyPassword } from './credentials.ts';

/** Checks at once: each takes 16 MiB and a core for some 50 ms. */
const checksAtOnce = 2;
/** Callers that may wait for a place; more are refused. */
const waitingMax = 50;

/**
 * Compares passwords with their hashes, two at a time. An account without a password, or none at
 * all, costs as much as a wrong password.
 */
export class PasswordCheck {
  #running = 0;
  #waiting: (() => void)[] = [];
  #dummy: Promise<string> | undefined;

  /** @throws Fault unavailable if too many callers wait. */
  async matches(password: string, hash: string | null | undefined): Promise<boolean> {
    await this.#enter();
    try {
      this.#dummy ??= hashPassword(randomText(20));
      const isRight = await verifyPassword(password, hash ?? (await this.#dummy));
      return isRight && typeof hash === 'string';
    } finally {
      this.#leave();
    }
  }

  /** A new hash, under the same limit. */
  async hash(password: string): Promise<string> {
    await this.#enter();
    try {
      return await hashPassword(password);
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < checksAtOnce) {
      this.#running++;
      return;
    }
    if (this.#waiting.length >= waitingMax) {
      throw new Fault('unavailable', 'Too many people sign in at this moment. Try again.', {
        retryAfterSeconds: 2,
      });
    }
    // The place of the one that leaves passes to this one.
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) {
      next();
    } else {
      this.#running--;
    }
  }
}
