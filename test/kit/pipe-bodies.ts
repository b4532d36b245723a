import { createPipe } from '../../src/contract/pipe/pipe.ts';

/** Pieces of the bodies that the tests of pipes send, and how they are judged. */
export const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
export const privateKey = '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n';
export const role = 'arn:aws:iam::123456789012:role/reader';
export const user = { username: 'u', password: 'p' };
export const kafka = { brokers: 'one:9092, two:9093', topics: 'orders' };
export const objects = { url: 'https://bucket.example.com/data/**/*.json' };
export const table = { sourceSchemaName: 'public', sourceTable: 'orders', targetTable: 'orders' };
export const postgres = {
  host: 'db.example.com',
  database: 'shop',
  credentials: user,
  tableMappings: [table],
};
export const destination = {
  table: 't',
  columns: [
    { name: 'a', type: 'UInt8' },
    { name: 'b', type: 'String' },
  ],
};

/** A title, the settings of a source, and what is changed of them. */
export type AcceptedSource = [title: string, settings: object, change: Record<string, unknown>];
/** The same, and the path within the source that is refused. */
export type RefusedSource = [...AcceptedSource, path: string];

export const withSource = (kind: string, settings: object) => ({
  source: { [kind]: settings },
  ...(kind === 'postgres' ? {} : { destination }),
});
/** The paths that are refused; none of a body that is accepted. */
export const refusedPaths = (body: unknown): string[] =>
  createPipe.body.safeParse(body).error?.issues.map(({ path }) => path.join('.')) ?? [];
