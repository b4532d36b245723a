import { describe, expect, it } from 'vitest';
import { ConnectionLost, SourceFailed } from '../../../ports/connector.ts';
import { postgresError } from './postgres-errors.ts';

const context = { database: 'shop', username: 'reader', publication: 'given', slot: 'kept' };
const coded = (code: unknown, message = ''): Error => Object.assign(new Error(message), { code });

describe('an error of a PostgreSQL server', () => {
  it.each([
    [coded('ECONNREFUSED'), 'cannot reach the PostgreSQL server (connection refused)'],
    [coded('57P03'), 'the PostgreSQL server is shutting down or starting'],
    [coded('53300'), 'the PostgreSQL server has no free connection'],
    [coded('XX000'), 'the PostgreSQL server rejected a statement (SQLSTATE XX000, see its log)'],
    [new Error('Connection terminated unexpectedly'), 'cannot reach the PostgreSQL server'],
    [AbortSignal.abort().reason, 'cannot reach the PostgreSQL server'],
    [coded(20), 'cannot reach the PostgreSQL server'],
    ['a text', 'cannot reach the PostgreSQL server'],
  ])('is temporary: %s', (error, message) => {
    expect(postgresError(error, context)).toMatchObject({ name: 'ConnectionLost', message });
    expect(postgresError(error, context)).toBeInstanceOf(ConnectionLost);
  });

  it.each([
    [coded('28P01'), /^the server rejected user "reader" or its password\. Change/],
    [coded('28000', 'no pg_hba.conf entry for replication'), /^user "reader" must not open a repl/],
    [coded('3D000'), /^database "shop" does not exist\. Create it/],
    [coded('42501', 'row-level security'), /BYPASSRLS/],
    [coded('42704', 'publication "given" does not exist'), /^publication "given" does not exist/],
    [
      coded('42704', 'replication slot "kept" does not exist'),
      /^replication slot "kept" no longer exists/,
    ],
    [coded('55000', 'logical decoding requires wal_level >= logical'), /Set wal_level = logical/],
    [coded('55000', 'can no longer get changes from replication slot'), /removed WAL/],
    [
      coded('SELF_SIGNED_CERT_IN_CHAIN'),
      /^the certificate of the PostgreSQL server is not trusted\. Set source\.postgres\.caCertificate/,
    ],
    [coded('CERT_HAS_EXPIRED'), /^the certificate of the PostgreSQL server has expired$/],
  ])('fails the pipe: %s', (error, message) => {
    expect(postgresError(error, context)).toBeInstanceOf(SourceFailed);
    expect(postgresError(error, context).message).toMatch(message);
  });
});
