import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Fault } from '../contract/errors.ts';
import { AlreadyAnswered, type KeepAnswer } from '../core/verb/change.ts';
import type { Outcome } from '../core/verb/outcome.ts';
import type { Log, Vault } from '../ports/ambient.ts';
import type { Principal } from '../ports/principal.ts';
import type { IdempotencyStore, IdempotentAnswer } from '../ports/store/store.ts';
import type { Answer } from './answer.ts';

export interface IdempotencyOptions {
  store: IdempotencyStore;
  /** Answers may carry a secret that is shown once: they are sealed while they are kept. */
  vault: Vault;
  log: Log;
  /** How long a request waits for a running one with the same key, milliseconds. */
  waitMs?: number;
}

/** One use of a key. */
interface KeyedRequest {
  credential: string;
  key: string;
  bodyHash: string;
}

/** A request with a key that this process is working on. */
interface Running {
  bodyHash: string;
  /** Its answer; undefined if it has none to repeat. */
  done: Promise<Answer | undefined>;
}

/** The work of a POST. It passes `keepAnswer` to its call. */
export interface KeyedWork {
  answerOf(outcome: Outcome<unknown>): Answer;
  run(keepAnswer: KeepAnswer): Promise<Answer>;
}

const defaultWaitMs = 30_000;

/**
 * Answers a POST that comes again under the same `Idempotency-Key` with the first answer. The
 * answer of a change is stored in the transaction of the change. Failures of ours (5xx) are not
 * kept.
 */
export class Idempotency {
  readonly #options: IdempotencyOptions;
  readonly #running = new Map<string, Running>();

  constructor(options: IdempotencyOptions) {
    this.#options = options;
  }

  async once(
    principal: Principal,
    key: string,
    request: { path: string; body: unknown },
    work: KeyedWork,
  ): Promise<Answer> {
    const keyed = keyedRequest(principal, key, request);
    const name = answerContext(keyed);
    const deadline = performance.now() + (this.#options.waitMs ?? defaultWaitMs);
    for (;;) {
      const running = this.#running.get(name);
      if (!running) {
        return this.#first(name, keyed, work);
      }
      if (running.bodyHash !== keyed.bodyHash) {
        throw otherRequest();
      }
      const answer = await within(deadline - performance.now(), running.done);
      if (answer) {
        return replayed(answer);
      }
    }
  }

  async #first(name: string, keyed: KeyedRequest, work: KeyedWork): Promise<Answer> {
    const answering = this.#answer(keyed, work);
    const done = answering.then(
      (answer) => (answer.status < 500 ? answer : undefined),
      () => undefined,
    );
    this.#running.set(name, { bodyHash: keyed.bodyHash, done });
    try {
      return await answering;
    } finally {
      this.#running.delete(name);
    }
  }

  async #answer(keyed: KeyedRequest, work: KeyedWork): Promise<Answer> {
    const known = await this.#kept(keyed);
    if (known) {
      return known;
    }
    let kept: Answer | undefined;
    try {
      const answer = await work.run(async (store, change) => {
        const first = await store.once(keyed.credential, keyed.key, async () => {
          const outcome = await change();
          kept = work.answerOf(outcome);
          return { result: outcome, answer: this.#sealed(keyed, kept) };
        });
        if (!first) {
          throw new AlreadyAnswered();
        }
        return first.result;
      });
      if (kept) {
        return kept;
      }
      return answer.status < 500 ? await this.#keep(keyed, answer) : answer;
    } catch (error) {
      const first = error instanceof AlreadyAnswered && (await this.#kept(keyed));
      if (first) {
        return first;
      }
      throw error;
    }
  }

  /** Keeps an answer that no change belongs to: of a read, or a refusal. */
  async #keep(keyed: KeyedRequest, answer: Answer): Promise<Answer> {
    const { store, log } = this.#options;
    try {
      const first = await store.once(keyed.credential, keyed.key, async () => ({
        result: answer,
        answer: this.#sealed(keyed, answer),
      }));
      return first?.result ?? (await this.#kept(keyed)) ?? answer;
    } catch (error) {
      log.warn({ err: error }, 'cannot save response for idempotency key');
      return answer;
    }
  }

  async #kept(keyed: KeyedRequest): Promise<Answer | undefined> {
    const { store, vault } = this.#options;
    const first = await store.answer(keyed.credential, keyed.key);
    if (!first) {
      return undefined;
    }
    if (first.bodyHash !== keyed.bodyHash) {
      throw otherRequest();
    }
    const { status, headers, body } = first;
    return replayed({ status, headers, body: vault.open(body, answerContext(keyed)) });
  }

  #sealed(keyed: KeyedRequest, answer: Answer): IdempotentAnswer {
    return {
      ...answer,
      bodyHash: keyed.bodyHash,
      body: this.#options.vault.seal(answer.body, answerContext(keyed)),
    };
  }
}

/** @throws Fault `bad_request` if the key cannot be one. */
function keyedRequest(
  { workspace, credential, subject }: Principal,
  key: string,
  { path, body }: { path: string; body: unknown },
): KeyedRequest {
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new Fault('bad_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters');
  }
  return {
    credential: `${workspace.id}/${credential ?? subject.id}`,
    key,
    bodyHash: createHash('sha256')
      .update(`${path}\n${JSON.stringify(body)}`)
      .digest('base64'),
  };
}

/** What a kept answer is sealed for. */
export const answerContext = ({
  credential,
  key,
}: Pick<KeyedRequest, 'credential' | 'key'>): string => `idempotency:${credential}:${key}`;

const replayed = (answer: Answer): Answer => ({
  ...answer,
  headers: { ...answer.headers, 'idempotency-replayed': 'true' },
});

const otherRequest = (): Fault =>
  new Fault('conflict', 'this Idempotency-Key was used with another request');

/** @throws Fault `conflict` if the other request takes longer. */
async function within<T>(ms: number, done: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const late = pause(Math.max(0, ms), undefined, { signal: timer.signal }).then(() => {
    throw new Fault('conflict', 'the first request with this Idempotency-Key is still running', {
      retryAfterSeconds: 1,
    });
  });
  try {
    return await Promise.race([done, late]);
  } finally {
    timer.abort();
    late.catch(() => undefined);
  }
}
