import { createHash } from 'node:crypto';
import { Fault } from '../contract/errors.ts';
import type { Log, Vault } from '../ports/ambient.ts';
import type { Principal } from '../ports/principal.ts';
import type { IdempotencyStore } from '../ports/store/store.ts';
import type { Answer } from './answer.ts';

export interface IdempotencyOptions {
  store: IdempotencyStore;
  /** Answers may carry a secret that is shown once: they are sealed while they are kept. */
  vault: Vault;
  log: Log;
}

/** A claim whose request died with its process is free again after this. */
const claimTtlMs = 60_000;

/**
 * Answers a POST that comes again under the same `Idempotency-Key` with the first answer. Failures
 * of ours (5xx) are not kept.
 */
export class Idempotency {
  private readonly options: IdempotencyOptions;

  constructor(options: IdempotencyOptions) {
    this.options = options;
  }

  async once(
    principal: Principal,
    key: string,
    request: { path: string; body: unknown },
    work: () => Promise<Answer>,
  ): Promise<Answer> {
    const { store } = this.options;
    if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
      throw new Fault('bad_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters');
    }
    const credential = `${principal.workspace.id}/${principal.credential ?? principal.subject.id}`;
    const bodyHash = createHash('sha256')
      .update(`${request.path}\n${JSON.stringify(request.body)}`)
      .digest('base64');
    const claim = await store.claim(credential, key, bodyHash, claimTtlMs);
    if (claim.state === 'busy') {
      throw new Fault(
        'conflict',
        claim.bodyHash === bodyHash
          ? 'the first request with this Idempotency-Key is still running'
          : otherBody,
        { retryAfterSeconds: 1 },
      );
    }
    if (claim.state === 'answered') {
      if (claim.answer.bodyHash !== bodyHash) {
        throw new Fault('conflict', otherBody);
      }
      const { status, headers, body } = claim.answer;
      return {
        status,
        headers: { ...headers, 'idempotency-replayed': 'true' },
        body: this.options.vault.open(body, contextOf(credential, key)),
      };
    }
    return this.first(credential, key, bodyHash, work);
  }

  private async first(
    credential: string,
    key: string,
    bodyHash: string,
    work: () => Promise<Answer>,
  ): Promise<Answer> {
    const { store, vault, log } = this.options;
    let answer: Answer;
    try {
      answer = await work();
    } catch (error) {
      await store
        .abandon(credential, key)
        .catch((cause: unknown) =>
          log.warn({ err: cause }, 'cannot release idempotency key; it expires in a minute'),
        );
      throw error;
    }
    const kept =
      answer.status < 500
        ? store.complete(credential, key, {
            ...answer,
            bodyHash,
            body: vault.seal(answer.body, contextOf(credential, key)),
          })
        : store.abandon(credential, key);
    await kept.catch((error: unknown) =>
      log.warn({ err: error }, 'cannot save response for idempotency key'),
    );
    return answer;
  }
}

const otherBody = 'this Idempotency-Key was used with another request';
const contextOf = (credential: string, key: string): string => `idempotency:${credential}:${key}`;
