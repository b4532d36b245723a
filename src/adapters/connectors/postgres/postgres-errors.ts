import { ConnectionLost, SourceFailed } from '../../../ports/connector.ts';
import { EgressRefused } from '../../../ports/egress.ts';
import { TypeChanged } from './types/column-of.ts';
import { certificateReason, withNetworkReason } from '../network-reason.ts';

/** What messages may name: nothing of it is a secret. */
export interface ErrorContext {
  database: string;
  username: string;
  publication?: string | undefined;
  slot?: string | undefined;
}

/** The password would have crossed the network in clear. */
export class CleartextRefused extends Error {}

/** The server or the network, in our words. The server's own text is left out: it may quote data. */
export function postgresError(error: unknown, about: ErrorContext): ConnectionLost | SourceFailed {
  if (error instanceof ConnectionLost || error instanceof SourceFailed) {
    return error;
  }
  if (error instanceof TypeChanged) {
    return new ConnectionLost('a composite type of a table was changed, and is looked at again', {
      cause: error,
    });
  }
  const { code: told, message = '' } = (error instanceof Error ? error : {}) as {
    code?: unknown;
    message?: string;
  };
  // What an aborted signal throws has a number there.
  const code = typeof told === 'string' ? told : '';
  const fatal =
    error instanceof EgressRefused
      ? error.message
      : error instanceof CleartextRefused
        ? cleartext
        : (fatalReason(code, message, about) ?? tlsReason(error));
  if (fatal !== undefined) {
    return new SourceFailed(fatal, { cause: error });
  }
  const refused =
    /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('08')
      ? `the PostgreSQL server refuses a statement (SQLSTATE ${code}); its log says why`
      : undefined;
  return new ConnectionLost(
    passing[code] ??
      passing[code.slice(0, 2)] ??
      refused ??
      withNetworkReason('the PostgreSQL server does not answer', error),
    { cause: error },
  );
}

const cleartext =
  'the server offers no TLS and asks for the password in clear: turn on TLS, or scram-sha-256, there';

const passing: Record<string, string> = {
  '57': 'the PostgreSQL server is being shut down or started',
  '53': 'the PostgreSQL server has no room for another connection',
  '55006': 'the replication slot is in use by another connection',
  '42703': 'a column of a table was dropped while it was being read',
  '40': 'the PostgreSQL server stopped a query in favour of others',
};

function fatalReason(
  code: string,
  message: string,
  { database, username, publication, slot }: ErrorContext,
): string | undefined {
  switch (code) {
    case '28P01':
    case '28000':
      return code === '28000' && /replication/i.test(message)
        ? `the user ${username} may not open a replication connection: give it the REPLICATION attribute, and a line in pg_hba.conf`
        : `the server refused the user ${username} or its password: change source.postgres.credentials`;
    case '3D000':
      return `there is no database ${database} on the server`;
    case '42501':
      return /row-level security/i.test(message)
        ? `row-level security hides rows of a table from the user ${username}: give it the BYPASSRLS attribute, or take the table out with tableMappingsToRemove`
        : `the user ${username} lacks a privilege: it needs SELECT on the tables, REPLICATION for a slot, and to make a publication CREATE on the database and ownership of the tables`;
    case '42P01':
      return 'a table of the pipe is not there any more: take it out with tableMappingsToRemove';
    case '58P01':
      return lost(slot);
    case '53400':
      return 'the server has no replication slot left: raise max_replication_slots there, and start the pipe again';
    case '42704':
      return /publication/i.test(message)
        ? `the publication ${publication ?? ''} is not there: make it again, then resync the pipe`
        : /slot/i.test(message)
          ? slotGone(slot)
          : undefined;
    case '55000':
      return /wal_level|logical decoding/i.test(message) && /wal_level/i.test(message)
        ? noLogicalDecoding
        : /replication slot|no longer/i.test(message)
          ? lost(slot)
          : undefined;
    default:
      return undefined;
  }
}

export const noLogicalDecoding =
  'the server does not write what replication needs: set wal_level = logical there and restart it';

export function slotGone(slot: string | undefined): string {
  return `the replication slot ${slot ?? ''} is gone, and with it the changes since the last sync: resync the pipe`;
}

const lost = (slot: string | undefined): string =>
  `the server has given up the log that the replication slot ${slot ?? ''} still needed: resync the pipe, and raise max_slot_wal_keep_size there`;

function tlsReason(error: unknown): string | undefined {
  const wrong = certificateReason(error);
  return (
    wrong &&
    `the certificate of the server ${wrong}${wrong === 'is not trusted' ? ' by source.postgres.caCertificate' : ''}`
  );
}
