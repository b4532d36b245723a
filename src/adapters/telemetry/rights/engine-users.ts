import { createHash, createHmac } from 'node:crypto';
import type { Purpose } from '../../../ports/telemetry.ts';
import { identifier } from '../../../sql/sql.ts';

export const adminUser = 'admin';

/** Rights in one database. `read` selects, `ingest` inserts, `pipe` owns the database's tables. */
export const rights = ['read', 'ingest', 'pipe'] as const;
export type Right = (typeof rights)[number];

export const rightOf: Record<Purpose, Right | undefined> = {
  chart: 'read',
  export: 'read',
  alert: 'read',
  ingest: 'ingest',
  pipe: 'pipe',
  load: 'pipe',
  admin: undefined,
};

/** Kinds of tables that a pipe creates. None of them leads out of the engine. */
const pipeTables = [
  'MergeTree',
  'ReplacingMergeTree',
  'SummingMergeTree',
  'AggregatingMergeTree',
  'CollapsingMergeTree',
  'VersionedCollapsingMergeTree',
  'Null',
  'Memory',
];

/**
 * The user that runs work of a purpose on a database. Work of another purpose than `admin` that
 * names no database runs as a user without any.
 */
export function userFor(purpose: Purpose, database: string | undefined): string {
  const right = rightOf[purpose];
  return right === undefined ? adminUser : userOf(right, database);
}

/** Whether work of the purpose runs with the rights of one database only. */
export const isConfined = (purpose: Purpose): boolean => rightOf[purpose] !== undefined;

/** Each run of the engine has a secret, and each user a password that is made of it. */
export const passwordOf = (secret: string, user: string): string =>
  createHmac('sha256', secret).update(user).digest('hex');

/**
 * The engine's users, as a file that it reads when it starts. `default` runs the statements that
 * start the listener and may do nothing else. `admin` may do everything. All others work on one
 * database.
 */
export function engineUsers(secret: string, databases: Iterable<string>): string {
  const user = (name: string, password: string, rest: string): string =>
    [
      `<${name}><password>${password}</password>`,
      '<networks><ip>127.0.0.1</ip></networks>',
      '<profile>default</profile><quota>default</quota>',
      `${rest}</${name}>`,
    ].join('');
  const confined = (right: Right, database?: string): string => {
    const name = userOf(right, database);
    const list = grantsOf(right, database);
    // A user without any grant in the file may do everything.
    const least = list.length > 0 ? list : ['SELECT ON system.one'];
    return user(name, passwordOf(secret, name), grants(...least));
  };
  return [
    '<clickhouse><profiles><default/></profiles><quotas><default/></quotas><users>',
    user('default', '', grants('SYSTEM LISTEN ON *.*', 'SELECT ON system.numbers')),
    user(adminUser, passwordOf(secret, adminUser), '<access_management>1</access_management>'),
    ...rights.map((right) => confined(right)),
    ...[...databases].flatMap((database) => rights.map((right) => confined(right, database))),
    '</users></clickhouse>',
  ].join('\n');
}

/** Elements of the file bear the name of the user, so that a database's own name is hashed. */
export function userOf(right: Right, database: string | undefined): string {
  return database === undefined
    ? `${right}_nothing`
    : `${right}_${createHash('sha256').update(database).digest('hex').slice(0, 32)}`;
}

/** What a user may do: `SELECT ON …`, with the names quoted. Without a database: in no database. */
export function grantsOf(right: Right, database: string | undefined): string[] {
  const tables = database === undefined ? undefined : `${identifier(database).text}.*`;
  const on = (...rights: string[]): string[] =>
    tables === undefined ? [] : [`${rights.join(', ')} ON ${tables}`];
  if (right !== 'pipe') {
    return on(right === 'read' ? 'SELECT' : 'INSERT');
  }
  return [
    ...on('SELECT', 'INSERT', 'TRUNCATE', 'ALTER TABLE', 'ALTER VIEW'),
    ...on('CREATE TABLE', 'CREATE VIEW', 'DROP TABLE', 'DROP VIEW'),
    ...pipeTables.map((engine) => `TABLE ENGINE ON ${identifier(engine).text}`),
    'CREATE TEMPORARY TABLE ON *.*',
    'READ ON S3',
    'READ ON AZURE',
    // The engine shows of them only the user's own tables.
    'SELECT ON system.parts',
    'SELECT ON system.mutations',
  ];
}

const grants = (...queries: string[]): string =>
  `<grants>${queries.map((text) => `<query>GRANT ${escapeXml(text)}</query>`).join('')}</grants>`;

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
