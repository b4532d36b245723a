import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { seeded } from './random-input.ts';

export interface ChaosOptions {
  url: string;
  seed: number;
  /** Transactions a second, at most. */
  rate: number;
  /** Rows of a big transaction. 0: none. */
  bigRows?: number;
  /** Adds and drops columns of chaos_shape. */
  schemaChanges?: boolean;
}

export interface ChaosWriter {
  /** Transactions committed, by kind. */
  readonly done: Readonly<Record<string, number>>;
  /** Ends after the transaction that runs. @throws what the writer died of. */
  stop(): Promise<void>;
}

/** The tables it writes, with what rows are told apart by. */
export const chaosTables = [
  { table: 'chaos_rows', key: ['id'] },
  { table: 'chaos_keys', key: ['a', 'b'] },
  { table: 'chaos_emptied', key: ['id'] },
  { table: 'chaos_shape', key: ['id'] },
  { table: 'chaos_parts', key: ['id', 'day'] },
  { table: 'chaos_full', key: ['id'] },
] as const;

export const chaosDefinitions = `
CREATE TABLE chaos_rows (
  id bigint PRIMARY KEY, number integer, amount numeric(12, 2), label text,
  at timestamptz, doc jsonb, words text[], flag boolean, big text);
ALTER TABLE chaos_rows ALTER COLUMN big SET STORAGE EXTERNAL;
CREATE TABLE chaos_keys (a integer, b text, value text, big text, PRIMARY KEY (a, b));
ALTER TABLE chaos_keys ALTER COLUMN big SET STORAGE EXTERNAL;
CREATE TABLE chaos_emptied (id bigint PRIMARY KEY, value text);
CREATE TABLE chaos_shape (id bigint PRIMARY KEY, value text);
CREATE TABLE chaos_parts (id bigint, day date, value text, PRIMARY KEY (id, day)) PARTITION BY RANGE (day);
CREATE TABLE chaos_parts_1 PARTITION OF chaos_parts FOR VALUES FROM ('2024-01-01') TO ('2024-07-01');
CREATE TABLE chaos_parts_2 PARTITION OF chaos_parts FOR VALUES FROM ('2024-07-01') TO ('2025-01-01');
CREATE TABLE chaos_full (id bigint PRIMARY KEY, value text, big text);
ALTER TABLE chaos_full ALTER COLUMN big SET STORAGE EXTERNAL;
ALTER TABLE chaos_full REPLICA IDENTITY FULL;
`;

interface Random {
  /** From 0 up to 1. */
  unit(): number;
  /** A whole number from 0 up to `limit`, without it. */
  below(limit: number): number;
}

/** Rows to begin with. */
export async function fillChaos(client: Client, rows: number): Promise<void> {
  await client.query(`
    INSERT INTO chaos_rows
      SELECT n, n % 100, n / 7.0, 'row ' || n, '2024-01-01'::timestamptz + n * interval '1 second',
        jsonb_build_object('n', n), ARRAY['a', n::text, NULL], n % 2 = 0,
        CASE WHEN n % 10 = 0 THEN repeat(md5(n::text), 100) END
      FROM generate_series(1, ${rows}) n;
    INSERT INTO chaos_keys
      SELECT n, 'k' || n % 10, 'v', CASE WHEN n % 10 = 0 THEN repeat(md5(n::text), 100) END
      FROM generate_series(1, ${rows}) n;
    INSERT INTO chaos_emptied SELECT n, 'v' FROM generate_series(1, ${Math.ceil(rows / 10)}) n;
    INSERT INTO chaos_shape SELECT n, 'v' FROM generate_series(1, ${rows}) n;
    INSERT INTO chaos_parts SELECT n, '2024-01-01'::date + (n % 365), 'v' FROM generate_series(1, ${rows}) n;
    INSERT INTO chaos_full SELECT n, 'v', repeat(md5(n::text), 100)
      FROM generate_series(1, ${Math.ceil(rows / 10)}) n;`);
}

type Step = (
  client: Client,
  random: Random,
  state: { columns: string[]; made: number; bigRows: number },
) => Promise<void>;

const id = (random: Random): number => 1 + random.below(2000);
const text = (random: Random): string =>
  ['', 'plain', 'tab\tline\nquote"back\\slash', 'ünïcödé 😀', '\\N', 'NULL'][random.below(6)]! +
  random.below(1000);

/** What may happen in a transaction, and how often, by weight. */
const steps: Record<string, [weight: number, Step]> = {
  insert: [
    20,
    (client, random) =>
      client
        .query(
          'INSERT INTO chaos_rows VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING',
          [
            id(random) + 100_000,
            random.below(100),
            random.below(100_000) / 100,
            text(random),
            new Date(1_700_000_000_000 + random.below(1e9)),
            JSON.stringify({ n: random.below(10), s: text(random) }),
            [text(random), null],
            random.below(2) === 0,
            'x'.repeat(random.below(9000)),
          ],
        )
        .then(nothing),
  ],
  update: [
    20,
    (client, random) =>
      client
        .query('UPDATE chaos_rows SET number = number + 1, label = $2 WHERE id % 2000 = $1', [
          id(random) % 2000,
          random.below(3) === 0 ? null : text(random),
        ])
        .then(nothing),
  ],
  'update of a toasted value': [
    5,
    (client, random) =>
      client
        .query(
          'UPDATE chaos_rows SET big = repeat(md5($2::text), 100 + $2::int % 50) WHERE id = $1',
          [id(random), random.below(1000)],
        )
        .then(nothing),
  ],
  delete: [
    5,
    (client, random) =>
      client.query('DELETE FROM chaos_rows WHERE id = $1', [id(random)]).then(nothing),
  ],
  'delete and insert again': [
    5,
    (client, random) => {
      const rowId = id(random);
      return client
        .query(
          `DELETE FROM chaos_rows WHERE id = ${rowId}; INSERT INTO chaos_rows (id, label) VALUES (${rowId}, 'again')`,
        )
        .then(nothing);
    },
  ],
  'key change': [
    10,
    (client, random) =>
      client
        .query(
          `UPDATE chaos_keys SET a = a + $2, b = 'k' || $3
            WHERE a = $1 AND NOT EXISTS (SELECT FROM chaos_keys o WHERE o.a = $1 + $2)`,
          [id(random), random.below(5000), random.below(10)],
        )
        .then(nothing),
  ],
  'key swap': [
    2,
    async (client, random) => {
      const [one, other] = [id(random), id(random)];
      await client.query(
        `UPDATE chaos_keys SET b = 'swap' || b WHERE a = ${one};
          UPDATE chaos_keys SET value = value || 'x' WHERE a = ${one};
          UPDATE chaos_keys SET b = substr(b, 5) WHERE a = ${one} AND b LIKE 'swap%';
          UPDATE chaos_keys SET value = 'v' WHERE a = ${other}`,
      );
    },
  ],
  'full identity': [
    5,
    (client, random) =>
      client
        .query('UPDATE chaos_full SET value = $2 WHERE id = $1', [
          1 + random.below(200),
          text(random),
        ])
        .then(nothing),
  ],
  partition: [
    5,
    (client, random) =>
      client
        .query(`UPDATE chaos_parts SET value = $2 WHERE id = $1`, [id(random), text(random)])
        .then(nothing),
  ],
  'move to another partition': [
    5,
    (client, random) =>
      client
        .query(`UPDATE chaos_parts SET day = '2024-01-01'::date + $2::int WHERE id = $1`, [
          id(random),
          random.below(365),
        ])
        .then(nothing),
  ],
  truncate: [
    1,
    (client, random) =>
      client
        .query(
          `INSERT INTO chaos_emptied SELECT 1000000 + n, 'gone'
              FROM generate_series(1, 50) n ON CONFLICT DO NOTHING;
            TRUNCATE chaos_emptied;
            INSERT INTO chaos_emptied SELECT n, 'again ${random.below(1000)}'
              FROM generate_series(1, ${10 + random.below(100)}) n`,
        )
        .then(nothing),
  ],
  'insert after truncate': [
    4,
    (client, random) =>
      client
        .query(
          'INSERT INTO chaos_emptied VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET value = excluded.value',
          [id(random), text(random)],
        )
        .then(nothing),
  ],
  'changed shape': [
    8,
    async (client, random, { columns }) => {
      const column = columns[random.below(columns.length)] ?? 'value';
      await client.query(
        `INSERT INTO chaos_shape (id, ${column})
            VALUES (${10_000 + random.below(10_000)}, '${random.below(1000)}')
            ON CONFLICT (id) DO UPDATE SET ${column} = excluded.${column};
          UPDATE chaos_shape SET ${column} = '${random.below(100)}' WHERE id = ${id(random)};
          DELETE FROM chaos_shape WHERE id = ${id(random)}`,
      );
    },
  ],
  'rolled back': [
    3,
    async (client, random) => {
      await client.query('SAVEPOINT chaos');
      await client.query(
        `UPDATE chaos_rows SET label = 'never seen' WHERE id % 10 = ${random.below(10)}`,
      );
      await client.query('ROLLBACK TO SAVEPOINT chaos');
    },
  ],
  big: [
    0.3,
    (client, random, { bigRows }) =>
      client
        .query(
          `UPDATE chaos_parts SET value = 'big ${random.below(1000)}';
            INSERT INTO chaos_rows (id, label) SELECT 1000000 + n, 'big'
              FROM generate_series(1, ${bigRows}) n
              ON CONFLICT (id) DO UPDATE SET number = coalesce(chaos_rows.number, 0) + 1`,
        )
        .then(nothing),
  ],
  'column added': [
    0.5,
    async (client, random, state) => {
      if (state.columns.length > 4) {
        return;
      }
      const name = `extra_${state.made++}`;
      const types = ['integer', 'text', 'integer DEFAULT 7', "varchar(20) DEFAULT 'tab\tbed'"];
      await client.query(`ALTER TABLE chaos_shape ADD COLUMN ${name} ${types[random.below(4)]!}`);
      await client.query(`UPDATE chaos_shape SET ${name} = '5' WHERE id % 100 = 1`);
      state.columns.push(name);
    },
  ],
  'column dropped': [
    0.3,
    async (client, random, { columns }) => {
      if (columns.length < 2) {
        return;
      }
      const [name] = columns.splice(1 + random.below(columns.length - 1), 1);
      await client.query(`ALTER TABLE chaos_shape DROP COLUMN ${name}`);
    },
  ],
};

const nothing = (): undefined => undefined;

/**
 * Writes at a bounded rate until it is stopped: the same transactions for the same seed, in the
 * same order.
 */
export function startChaos({
  url,
  seed,
  rate,
  bigRows = 5000,
  schemaChanges = true,
}: ChaosOptions): ChaosWriter {
  const unit = seeded(seed);
  const random: Random = { unit, below: (limit) => Math.floor(unit() * limit) };
  const chosen = Object.entries(steps).filter(
    ([name]) => (bigRows > 0 || name !== 'big') && (schemaChanges || !name.startsWith('column ')),
  );
  const total = chosen.reduce((sum, [, [weight]]) => sum + weight, 0);
  const done: Record<string, number> = {};
  const state = { columns: ['value'], made: 0, bigRows };
  const stopping = new AbortController();

  const choose = (): [string, Step] => {
    let rest = random.unit() * total;
    for (const [name, [weight, step]] of chosen) {
      if ((rest -= weight) < 0) {
        return [name, step];
      }
    }
    return [chosen[0]![0], chosen[0]![1][1]];
  };

  const transact = async (client: Client): Promise<void> => {
    const before = { columns: [...state.columns] };
    await client.query('BEGIN');
    const names: string[] = [];
    for (let remaining = 1 + random.below(4); remaining > 0; remaining--) {
      const [name, step] = choose();
      await step(client, random, state);
      names.push(name);
    }
    if (random.below(20) === 0) {
      await client.query('ROLLBACK');
      state.columns = before.columns;
      return;
    }
    await client.query('COMMIT');
    for (const name of names) {
      done[name] = (done[name] ?? 0) + 1;
    }
  };

  const run = async (): Promise<void> => {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      const startMs = performance.now();
      for (let count = 0; !stopping.signal.aborted; count++) {
        await transact(client);
        const dueMs = startMs + (count * 1000) / rate;
        if (dueMs > performance.now()) {
          await pause(dueMs - performance.now());
        }
      }
    } finally {
      await client.end();
    }
  };
  const running = run();
  running.catch(() => undefined);
  return {
    done,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
