import { sql } from 'kysely';
import type { IdempotencyStore } from '../../ports/store/store.ts';
import type { Session } from './statements/session.ts';
import { statement, type Queries } from './statements/statement.ts';

const keptMs = 24 * 3_600_000;

/** Claims of `Idempotency-Key`s and the first answers to them. */
export function createIdempotency(session: Session): IdempotencyStore & { sweep(): Promise<void> } {
  return {
    async claim(credential, key, bodyHash, claimTtlMs) {
      for (;;) {
        if (await session.first(claim, { credential, key, bodyHash, ttlMs: claimTtlMs })) {
          return { state: 'claimed' };
        }
        const row = await session.first(read, { credential, key });
        // Abandoned between the two statements: it is free again.
        if (!row) {
          continue;
        }
        if (row.status === null) {
          return { state: 'busy', bodyHash: row.body_hash };
        }
        return {
          state: 'answered',
          answer: {
            bodyHash: row.body_hash,
            status: row.status,
            headers: JSON.parse(row.headers ?? '{}') as Record<string, string>,
            body: row.body ?? '',
          },
        };
      }
    },
    complete: async (credential, key, { bodyHash, status, headers, body }) =>
      void (await session.run(complete, {
        credential,
        key,
        bodyHash,
        status,
        headers: JSON.stringify(headers),
        body,
      })),
    abandon: async (credential, key) => void (await session.run(abandon, { credential, key })),
    sweep: async () => void (await session.run(sweep, {})),
  };
}

/** One statement, so that of two claims at once exactly one sees its row come back. */
const claim = statement<{ credential: string; key: string; bodyHash: string; ttlMs: number }>()(
  (queries, { credential, key, bodyHash, ttlMs }) =>
    queries.global
      .insertInto('idempotency_keys')
      .values({
        credential,
        key,
        body_hash: bodyHash,
        status: null,
        headers: null,
        body: null,
        expires_at_ms: after(queries, ttlMs),
      })
      .onConflict((conflict) =>
        conflict
          .columns(['credential', 'key'])
          .doUpdateSet({
            body_hash: bodyHash,
            status: null,
            headers: null,
            body: null,
            expires_at_ms: after(queries, ttlMs),
          })
          .where('idempotency_keys.expires_at_ms', '<=', queries.now),
      )
      .returning('key'),
);

const read = statement<{ credential: string; key: string }>()((queries, { credential, key }) =>
  queries.global
    .selectFrom('idempotency_keys')
    .select(['body_hash', 'status', 'headers', 'body'])
    .where('credential', '=', credential)
    .where('key', '=', key)
    .where('expires_at_ms', '>', queries.now),
);

const complete = statement<{
  credential: string;
  key: string;
  bodyHash: string;
  status: number;
  headers: string;
  body: string;
}>()((queries, { credential, key, bodyHash, status, headers, body }) =>
  queries.global
    .updateTable('idempotency_keys')
    .set({ status, headers, body, expires_at_ms: after(queries, keptMs) })
    .where('credential', '=', credential)
    .where('key', '=', key)
    .where('body_hash', '=', bodyHash)
    .where('status', 'is', null),
);

const abandon = statement<{ credential: string; key: string }>()((queries, { credential, key }) =>
  queries.global
    .deleteFrom('idempotency_keys')
    .where('credential', '=', credential)
    .where('key', '=', key)
    .where('status', 'is', null),
);

const sweep = statement<Record<string, never>>()((queries) =>
  queries.global.deleteFrom('idempotency_keys').where('expires_at_ms', '<=', queries.now),
);

function after(queries: Queries, ms: number) {
  return sql<number>`${queries.now} + cast(${ms} as bigint)`;
}
