import { sql } from 'kysely';
import type { IdempotencyStore } from '../../ports/store/store.ts';
import type { Session } from './statements/session.ts';
import { statement, type Queries } from './statements/statement.ts';

const keptMs = 24 * 3_600_000;

/** The first response of each `Idempotency-Key`. */
export function createIdempotency(session: Session): IdempotencyStore {
  return {
    async answer(credential, key) {
      const row = await session.first(read, { credential, key });
      return row?.status == null
        ? undefined
        : {
            bodyHash: row.body_hash,
            status: row.status,
            headers: JSON.parse(row.headers ?? '{}') as Record<string, string>,
            body: row.body ?? '',
          };
    },
    once: (credential, key, work) =>
      session.atomically(async (inside) => {
        if (!(await inside.first(claim, { credential, key }))) {
          return undefined;
        }
        const { result, answer } = await work();
        const { bodyHash, status, headers, body } = answer;
        await inside.run(complete, {
          credential,
          key,
          bodyHash,
          status,
          headers: JSON.stringify(headers),
          body,
        });
        return { result };
      }),
  };
}

export async function sweepIdempotency(session: Session): Promise<void> {
  await session.run(sweep, {});
}

/**
 * If two requests claim a key at once, the second waits for the first transaction to end. A row
 * without a status comes from a process of an older version that died; it counts as absent.
 */
const claim = statement<{ credential: string; key: string }>()((queries, { credential, key }) =>
  queries.global
    .insertInto('idempotency_keys')
    .values({
      credential,
      key,
      body_hash: '',
      status: null,
      headers: null,
      body: null,
      expires_at_ms: queries.now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['credential', 'key'])
        .doUpdateSet({ body_hash: '', status: null, headers: null, body: null })
        .where((where) =>
          where.or([
            where('idempotency_keys.expires_at_ms', '<=', queries.now),
            where('idempotency_keys.status', 'is', null),
          ]),
        ),
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
    .set({ body_hash: bodyHash, status, headers, body, expires_at_ms: after(queries, keptMs) })
    .where('credential', '=', credential)
    .where('key', '=', key),
);

const sweep = statement<Record<string, never>>()((queries) =>
  queries.global.deleteFrom('idempotency_keys').where('expires_at_ms', '<=', queries.now),
);

function after(queries: Queries, ms: number) {
  return sql<number>`${queries.now} + cast(${ms} as bigint)`;
}
