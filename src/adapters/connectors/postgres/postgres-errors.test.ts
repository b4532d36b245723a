import { describe, expect, it } from 'vitest';
import { ConnectionLost, SourceFailed } from '../../../ports/connector.ts';
import { postgresError } from './postgres-errors.ts';

const about = { database: 'shop', username: 'reader', publication: 'given', slot: 'kept' };
const coded = (code: unknown, message = ''): Error => Object.assign(new Error(message), { code });

describe('what went wrong with a PostgreSQL server', () => {
  it.each([
    [coded('ECONNREFUSED'), 'the PostgreSQL server does not answer (the connection is refused)'],
    [coded('57P03'), 'the PostgreSQL server is being shut down or started'],
    [coded('53300'), 'the PostgreSQL server has no room for another connection'],
    [new Error('Connection terminated unexpectedly'), 'the PostgreSQL server does not answer'],
    [AbortSignal.abort().reason, 'the PostgreSQL server does not answer'],
    [coded(20), 'the PostgreSQL server does not answer'],
    ['a text', 'the PostgreSQL server does not answer'],
  ])('passes: %s', (error, message) => {
    expect(postgresError(error, about)).toMatchObject({ name: 'ConnectionLost', message });
    expect(postgresError(error, about)).toBeInstanceOf(ConnectionLost);
  });

  it.each([
    [coded('28P01'), /^the server refused the user reader or its password/],
    [coded('3D000'), /^there is no database shop/],
    [coded('42704', 'publication "given" does not exist'), /^the publication given is not there/],
    [coded('CERT_HAS_EXPIRED'), 'the certificate of the server has expired'],
  ])('needs somebody: %s', (error, message) => {
    expect(postgresError(error, about)).toBeInstanceOf(SourceFailed);
    expect(postgresError(error, about).message).toMatch(message);
  });
});
