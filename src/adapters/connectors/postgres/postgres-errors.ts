import { ConnectionLost, SourceFailed, type SourceProblem } from '../../../ports/connector.ts';
import { EgressRefused } from '../../../ports/egress.ts';
import { certificateReason, networkProblem, withNetworkReason } from '../network-reason.ts';
import { slotGone, walLost } from './stream/slot.ts';
import { TypeChanged } from './types/column-of.ts';
import { CleartextRefused } from './wire/server.ts';

/** Names that messages may contain. None of them is a secret. */
export interface ErrorContext {
  database: string;
  username: string;
  publication: string;
  slot: string;
}

/**
 * Translates an error of the server or the network into our words. The message leaves out the
 * server's own text, which may quote data.
 */
export function postgresError(
  error: unknown,
  context: ErrorContext,
): ConnectionLost | SourceFailed {
  if (error instanceof ConnectionLost || error instanceof SourceFailed) {
    return error;
  }
  if (error instanceof TypeChanged) {
    return new ConnectionLost('a composite type of a table has changed', { cause: error });
  }
  const { code: rawCode, message = '' } = (error instanceof Error ? error : {}) as {
    code?: unknown;
    message?: string;
  };
  // The error of an aborted signal has a number as its code.
  const code = typeof rawCode === 'string' ? rawCode : '';
  const fatal = connectionReason(error) ?? statementReason(code, message, context);
  const problem = problemOf(error, code, message);
  if (fatal !== undefined) {
    return new SourceFailed(fatal, { cause: error, problem });
  }
  return new ConnectionLost(temporaryReason(code, error), { cause: error, problem });
}

function problemOf(error: unknown, code: string, message: string): SourceProblem | undefined {
  if (code === '28000' && /replication/i.test(message)) {
    return { reason: 'replication_refused', field: 'credentials' };
  }
  const known = problems[code];
  if (known) {
    return known;
  }
  if (error instanceof CleartextRefused) {
    return { reason: 'tls_refused', field: 'host' };
  }
  return certificateReason(error) === undefined
    ? networkProblem(error)
    : { reason: 'tls_refused', field: 'caCertificate' };
}

const problems: Record<string, SourceProblem> = {
  '28P01': { reason: 'login_refused', field: 'credentials' },
  '28000': { reason: 'login_refused', field: 'credentials' },
  '3D000': { reason: 'not_found', field: 'database' },
  '42501': { reason: 'not_permitted', field: 'credentials' },
  '42P01': { reason: 'not_found', field: 'tableMappings' },
  '53400': { reason: 'replication_refused', field: 'settings.replicationSlotName' },
};

function temporaryReason(code: string, error: unknown): string {
  const reason = temporaryReasons[code] ?? temporaryReasons[code.slice(0, 2)];
  if (reason !== undefined) {
    return reason;
  }
  return /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('08')
    ? `the PostgreSQL server rejected a statement (SQLSTATE ${code}, see its log)`
    : withNetworkReason('cannot reach the PostgreSQL server', error);
}

const temporaryReasons: Record<string, string> = {
  '57': 'the PostgreSQL server is shutting down or starting',
  '53': 'the PostgreSQL server has no free connection',
  '55006': 'another connection is using the replication slot',
  '42703': 'a column was dropped while its table was being read',
  '40': 'the PostgreSQL server canceled a query in favor of others',
};

function connectionReason(error: unknown): string | undefined {
  if (error instanceof EgressRefused) {
    return error.message;
  }
  if (error instanceof CleartextRefused) {
    return (
      'the server asks for the password in clear over a connection without TLS. ' +
      'Enable TLS or scram-sha-256 on the server.'
    );
  }
  const problem = certificateReason(error);
  if (problem === undefined) {
    return undefined;
  }
  const text = `the certificate of the PostgreSQL server ${problem}`;
  return problem === 'is not trusted'
    ? `${text}. Set source.postgres.caCertificate to the certificate of its CA.`
    : text;
}

function statementReason(
  code: string,
  message: string,
  { database, username, publication, slot }: ErrorContext,
): string | undefined {
  switch (code) {
    case '28P01':
      return loginReason(username);
    case '28000':
      return /replication/i.test(message) ? replicationReason(username) : loginReason(username);
    case '3D000':
      return `database "${database}" does not exist. Create it, or change source.postgres.database.`;
    case '42501':
      return privilegeReason(message, username);
    case '42P01':
      return (
        'a table of the pipe no longer exists. ' +
        'Remove it from the pipe with tableMappingsToRemove.'
      );
    case '58P01':
      return walLost(slot);
    case '53400':
      return (
        'the server has no free replication slot. ' +
        'Increase max_replication_slots at the server, then start the pipe again.'
      );
    case '42704':
      return missingObjectReason(message, publication, slot);
    case '55000':
      return decodingReason(message, slot);
    default:
      return undefined;
  }
}

const loginReason = (username: string): string =>
  `the server rejected user "${username}" or its password. Change source.postgres.credentials.`;

const replicationReason = (username: string): string =>
  `user "${username}" must not open a replication connection. ` +
  'Grant it the REPLICATION attribute, and allow replication connections in pg_hba.conf.';

function privilegeReason(message: string, username: string): string {
  return /row-level security/i.test(message)
    ? `row-level security hides rows of a table from user "${username}". ` +
        'Grant it the BYPASSRLS attribute, or remove the table with tableMappingsToRemove.'
    : `user "${username}" lacks a privilege. It needs SELECT on the tables and REPLICATION for a slot; ` +
        'to create a publication also CREATE on the database and ownership of the tables.';
}

function missingObjectReason(
  message: string,
  publication: string,
  slot: string,
): string | undefined {
  if (/publication/i.test(message)) {
    return `publication "${publication}" does not exist. Create it again, then resync the pipe.`;
  }
  return /slot/i.test(message) ? slotGone(slot) : undefined;
}

function decodingReason(message: string, slot: string): string | undefined {
  if (/wal_level/i.test(message)) {
    return noLogicalDecoding;
  }
  return /replication slot|no longer/i.test(message) ? walLost(slot) : undefined;
}

export const noLogicalDecoding =
  'the server does not support logical replication yet. Set wal_level = logical and restart it.';
