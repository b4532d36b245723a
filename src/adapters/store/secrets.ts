import { sql, type RawBuilder } from 'kysely';
import type { SecretPlace, SecretStore, StoredSecret } from '../../ports/store/secret-store.ts';
import type { Session } from './statements/session.ts';

interface Place {
  table: string;
  /** Columns of the primary key. */
  key: readonly string[];
  /** Column of the sealed value, or of the JSON object that contains it as `sealed`. */
  column: string;
  inJson: boolean;
}

const places: Record<SecretPlace, Place> = {
  document: {
    table: 'documents',
    key: ['workspace_id', 'kind', 'id'],
    column: 'sealed',
    inJson: false,
  },
  parting: {
    table: 'pipe_statuses',
    key: ['workspace_id', 'pipe_id'],
    column: 'parting',
    inJson: true,
  },
  ingestionKey: {
    table: 'ingestion_keys',
    key: ['workspace_id'],
    column: 'sealed',
    inJson: false,
  },
  answer: {
    table: 'idempotency_keys',
    key: ['credential', 'key'],
    column: 'body',
    inJson: false,
  },
};

export function createSecrets(session: Session): SecretStore {
  const run = (statement: RawBuilder<unknown>) =>
    session.execute<Record<string, string>>({
      compile: () => statement.compile(session.queries.ofEveryWorkspace()),
    });
  return {
    async page(name, after, limit) {
      const place = places[name];
      const { rows } = await run(sql`select ${columns(place)}, ${sql.ref(place.column)} as value
        from ${sql.table(place.table)}
        where ${sql.ref(place.column)} is not null ${afterKey(place, after)}
        order by ${columns(place)} limit ${limit}`);
      return rows.map((row) => ({
        place: name,
        key: place.key.map((column) => row[column] ?? ''),
        sealed: sealedIn(place, row['value'] ?? ''),
      }));
    },
    async replace(secret, sealed) {
      const place = places[secret.place];
      const previous = place.inJson ? await storedText(run, place, secret) : secret.sealed;
      if (previous === undefined) {
        return false;
      }
      const value = place.inJson
        ? JSON.stringify({ ...(JSON.parse(previous) as object), sealed })
        : sealed;
      const { changes } = await run(sql`update ${sql.table(place.table)}
        set ${sql.ref(place.column)} = ${value}
        where ${matches(place, secret.key)} and ${sql.ref(place.column)} = ${previous}`);
      return changes > 0;
    },
    sealDocument: async ({ workspaceId, kind, id, version }, { body, sealed }) =>
      (
        await session.execute(
          session.queries
            .ofWorkspace(workspaceId)
            .updateTable('documents')
            .set({ body: JSON.stringify(body), sealed })
            .where('kind', '=', kind)
            .where('id', '=', id)
            .where('version', '=', version),
        )
      ).changes > 0,
  };
}

type Run = (statement: RawBuilder<unknown>) => Promise<{ rows: Record<string, string>[] }>;

/** The JSON text, if it still contains the value. */
async function storedText(
  run: Run,
  place: Place,
  { key, sealed }: StoredSecret,
): Promise<string | undefined> {
  const { rows } = await run(
    sql`select ${sql.ref(place.column)} as value from ${sql.table(place.table)}
      where ${matches(place, key)}`,
  );
  const text = rows[0]?.['value'];
  return text !== undefined && text !== null && sealedIn(place, text) === sealed ? text : undefined;
}

/** Empty for a deleted pipe without secrets. */
const sealedIn = ({ inJson }: Place, value: string): string =>
  inJson ? ((JSON.parse(value) as { sealed: string | null }).sealed ?? '') : value;

const columns = ({ key }: Place) => sql.join(key.map((column) => sql.ref(column)));

const afterKey = (place: Place, after: readonly string[]) =>
  after.length === 0
    ? sql``
    : sql`and (${columns(place)}) > (${sql.join(after.map((part) => sql.val(part)))})`;

const matches = ({ key }: Place, values: readonly string[]) =>
  sql.join(
    key.map((column, index) => sql`${sql.ref(column)} = ${values[index] ?? ''}`),
    sql` and `,
  );
