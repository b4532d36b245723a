import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import {
  insertHoldLease,
  type Claim,
  type IntentResult,
  type PipeStore,
} from '../../../ports/store/pipe-store.ts';
import type { Schema } from '../statements/schema.ts';
import type { Session } from '../statements/session.ts';
import { statement, type Queries } from '../statements/statement.ts';

type Intents = Pick<PipeStore, 'intend' | 'startInsert' | 'waitForIntents' | 'inserting'>;

/**
 * What readers record before an insert. A range starts its insert only while no backup takes its
 * snapshot. A range whose insert has started is not held: it has to finish before the snapshot.
 */
export function createIntents(session: Session): Intents {
  return {
    async intend(claim, { until, shard = null, backlog, phase = 'inserting' }) {
      const values = { ...claim, until, shard };
      if (phase === 'loading') {
        const changes = await (backlog
          ? session.run(setLoadAndBacklog, { ...values, ...backlog })
          : session.run(setLoad, values));
        return changes > 0 ? 'recorded' : 'refused';
      }
      return resultOf(
        session,
        claim,
        await (backlog
          ? session.run(setIntentAndBacklog, { ...values, ...backlog })
          : session.run(setIntent, values)),
      );
    },
    startInsert: async (claim) =>
      resultOf(session, claim, await session.run(setInserting, { ...claim })),
    async waitForIntents() {
      if (session.queries.dialect === 'postgres') {
        // A transaction that did not see the lease has ended when the lock is there.
        const locking = sql`lock table pipe_partitions in exclusive mode`;
        await session.execute({
          compile: () => locking.compile(session.queries.ofEveryWorkspace()),
        });
      }
    },
    inserting: async () =>
      (await session.all(selectInserting, {})).map((row) => ({
        workspaceId: row.workspace_id,
        pipeId: row.pipe_id,
        partition: row.source_partition,
      })),
  };
}

type Values = { workspaceId: string; pipeId: string; partition: string; epoch: number };
type Until = Values & { until: string; shard: string | null };
type UntilAndBacklog = Until & { remaining: number | null; oldestAtMs: number | null };

const ofClaim = (queries: Queries, { workspaceId, pipeId, partition, epoch }: Values) =>
  queries
    .ofWorkspace(workspaceId)
    .updateTable('pipe_partitions')
    .where('pipe_id', '=', pipeId)
    .where('source_partition', '=', partition)
    .where('epoch', '=', epoch);

const notHeld =
  (queries: Queries) =>
  (eb: ExpressionBuilder<Schema, 'pipe_partitions'>): Expression<SqlBool> =>
    eb.or([
      eb('inserting', '=', sql.lit(1)),
      eb.not(
        eb.exists(
          eb
            .selectFrom('leases')
            .select('name')
            .where('name', '=', sql.lit(insertHoldLease))
            .where('expires_at_ms', '>', queries.now),
        ),
      ),
    ]);

const setIntent = statement<Until>()((queries, values) =>
  ofClaim(queries, values)
    .set({ intended: values.until, intended_shard: values.shard, inserting: sql.lit(1) })
    .where(notHeld(queries)),
);
const setIntentAndBacklog = statement<UntilAndBacklog>()((queries, values) =>
  ofClaim(queries, values)
    .set({
      intended: values.until,
      intended_shard: values.shard,
      inserting: sql.lit(1),
      remaining: values.remaining,
      oldest_at_ms: values.oldestAtMs,
    })
    .where(notHeld(queries)),
);
const setLoad = statement<Until>()((queries, values) =>
  ofClaim(queries, values).set({ intended: values.until, intended_shard: values.shard }),
);
const setLoadAndBacklog = statement<UntilAndBacklog>()((queries, values) =>
  ofClaim(queries, values).set({
    intended: values.until,
    intended_shard: values.shard,
    remaining: values.remaining,
    oldest_at_ms: values.oldestAtMs,
  }),
);
const setInserting = statement<Values>()((queries, values) =>
  ofClaim(queries, values)
    .set({ inserting: sql.lit(1) })
    .where(notHeld(queries)),
);

const selectClaim = statement<Values>()((queries, { workspaceId, pipeId, partition, epoch }) =>
  queries
    .ofWorkspace(workspaceId)
    .selectFrom('pipe_partitions')
    .select('epoch')
    .where('pipe_id', '=', pipeId)
    .where('source_partition', '=', partition)
    .where('epoch', '=', epoch),
);

const selectInserting = statement<Record<string, never>>()((queries) =>
  queries
    .ofEveryWorkspace()
    .selectFrom('pipe_partitions')
    .select(['workspace_id', 'pipe_id', 'source_partition'])
    .where('inserting', '=', sql.lit(1))
    .orderBy('pipe_id')
    .orderBy('source_partition'),
);

async function resultOf(session: Session, claim: Claim, changes: number): Promise<IntentResult> {
  if (changes > 0) {
    return 'recorded';
  }
  return (await session.first(selectClaim, { ...claim })) === undefined ? 'refused' : 'held';
}
