import type { ConnectorContext } from '../../../../ports/connector.ts';

/**
 * Every session whose text output the connector reads, replication sessions included, starts with
 * these settings. They fix the text form of `money`, `date`, `interval` and `bytea`, which would
 * otherwise depend on the server, the database or the role.
 */
export const sessionSettings = {
  client_encoding: 'UTF8',
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'iso_8601',
  TimeZone: 'UTC',
  extra_float_digits: '3',
  bytea_output: 'hex',
  lc_monetary: 'C',
  xmloption: 'content',
} as const;

/**
 * Settings that a role or database may have set for its sessions, and that must not hold here. A
 * snapshot is one long transaction and a copy one long statement, so the server's timeouts must not
 * end them. With `row_security` off the server refuses to read a table whose policies hide rows;
 * otherwise those rows would be missing without notice.
 */
const sessionConduct = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  row_security: 'off',
  default_transaction_read_only: 'off',
  standard_conforming_strings: 'on',
  search_path: 'pg_catalog',
};

/** A statement that waits for a lock goes on after its client has gone. Nobody waits for a sample. */
const sampleConduct = { statement_timeout: '15s' };

/** The `options` of the startup message that set all of these. */
export const startOptions = (purpose: ConnectorContext['purpose']): string =>
  Object.entries({
    ...sessionSettings,
    ...sessionConduct,
    ...(purpose === 'sample' && sampleConduct),
  })
    .map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, '\\$&')}`)
    .join(' ');

/**
 * Turns off the timeouts that only newer servers know. An older server would refuse a session that
 * names them in its startup message.
 */
export const disableNewerTimeouts = `
SELECT pg_catalog.set_config(name, '0', false) FROM pg_catalog.pg_settings
WHERE name IN ('idle_session_timeout', 'transaction_timeout') AND setting <> '0'`;
