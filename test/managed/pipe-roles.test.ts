import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEmbedded } from '../../src/adapters/telemetry/embedded/open-embedded.ts';
import { openClickHouse } from '../../src/adapters/telemetry/clickhouse.ts';
import type { Telemetry } from '../../src/ports/telemetry.ts';
import { startApi, type ApiKit } from '../kit/api.ts';
import { startClickHouseServer, type ClickHouseServer } from '../kit/clickhouse-server.ts';
import { testOperator } from '../kit/services.ts';

const body = (table: string, roles: string[]) => ({
  source: { kafka: { brokers: '127.0.0.1:9', topics: 'orders' } },
  destination: { database: 'telemetry', table, columns: [{ name: 'id', type: 'UInt64' }], roles },
});
const pipesOf = (api: ApiKit): string =>
  `/organizations/${api.managed.organizationId}/services/${api.managed.serviceId}/pipes`;

/** The same engine, with its commands noted. */
function watching(telemetry: Telemetry, statements: string[]): Telemetry {
  return new Proxy(telemetry, {
    get(target, name) {
      if (name === 'command') {
        return (...args: Parameters<Telemetry['command']>) => {
          statements.push(args[0].text);
          return target.command(...args);
        };
      }
      const member = Reflect.get(target, name) as unknown;
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

/**
 * The engine behind the test's server lets nobody make roles: that a role gets what it was granted
 * is left to a real server.
 */
describe('roles of a pipe', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-roles-'));
  let server: ClickHouseServer;
  let remote: Telemetry;
  beforeAll(async () => {
    server = await startClickHouseServer();
    remote = await openClickHouse({ url: server.url });
  });
  afterAll(async () => {
    await remote?.close();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are set on a server in one statement; its refusal is a 400 that names them and stores no pipe', async () => {
    const statements: string[] = [];
    const watched = watching(remote, statements);
    const other = await startApi({ telemetry: watched });
    try {
      const { status, json } = await other.managed.call('POST', pipesOf(other), {
        body: body('granted', ['analyst', 'it`s "odd"']),
      });
      expect(statements.filter((text) => text.startsWith('GRANT'))).toEqual([
        'GRANT SELECT ON `telemetry`.`granted` TO `analyst`, `it\\`s "odd"`',
      ]);
      expect([status, json.errors]).toEqual([
        400,
        [
          {
            path: 'destination.roles',
            message: expect.stringMatching(/^the engine rejected the grant: .*analyst/),
          },
        ],
      ]);
      expect((await other.managed.call('GET', pipesOf(other))).json.result).toEqual([]);
    } finally {
      await other.stop();
    }
  });

  it('of a postgres pipe are asked for all its tables, which are made later', async () => {
    const statements: string[] = [];
    const watched = watching(remote, statements);
    const other = await startApi({ telemetry: watched });
    const mapping = (name: string) => ({
      sourceSchemaName: 'public',
      sourceTable: name,
      targetTable: name,
    });
    try {
      const source = {
        postgres: {
          host: '127.0.0.1',
          database: 'shop',
          credentials: { username: 'reader', password: 'hidden' },
          tableMappings: [mapping('orders'), mapping('items')],
        },
      };
      const { status, json } = await other.managed.call('POST', pipesOf(other), {
        body: { source, destination: { database: 'telemetry', roles: ['analyst'] } },
      });
      expect(statements.filter((text) => text.startsWith('GRANT'))).toEqual([
        'GRANT SELECT ON `telemetry`.`orders`, SELECT ON `telemetry`.`items` TO `analyst`',
      ]);
      expect([status, json.errors[0].path]).toEqual([400, 'destination.roles']);
    } finally {
      await other.stop();
    }
  });

  it('of a postgres pipe in a shared database are asked for once its tables are reserved', async () => {
    const statements: string[] = [];
    const other = await startApi({ telemetry: watching(remote, statements) });
    const operator = testOperator(other);
    const owner = await operator.newService('owner');
    const rival = await operator.newService('rival');
    await operator.share('shared', [owner, rival]);
    const mappings = ['invoices', 'receipts'].map((name) => ({
      sourceSchemaName: 'public',
      sourceTable: name,
      targetTable: name,
    }));
    const shared = (...tableMappings: typeof mappings) => ({
      source: { postgres: { host: '127.0.0.1', database: 'shop', tableMappings } },
      destination: { database: 'shared', roles: ['analyst'] },
    });
    try {
      const granted = await owner.pipes('POST', '', shared(...mappings));
      expect([granted.status, granted.json.errors[0].path]).toEqual([400, 'destination.roles']);
      const refused = await rival.pipes('POST', '', shared(...mappings.slice(1)));
      expect([refused.status, refused.json.errors[0].path]).toEqual([
        400,
        'source.postgres.tableMappings',
      ]);
      expect(
        statements.flatMap(
          (text) => /^(CREATE TABLE|GRANT .*)[^`]*`shared`.`\w+`/.exec(text)?.[0] ?? [],
        ),
      ).toEqual([
        'CREATE TABLE IF NOT EXISTS `shared`.`invoices_pipe_errors`',
        'CREATE TABLE IF NOT EXISTS `shared`.`receipts_pipe_errors`',
        'GRANT SELECT ON `shared`.`invoices`, SELECT ON `shared`.`receipts`',
      ]);
    } finally {
      await other.stop();
    }
  });

  it('are kept and not granted on the embedded engine, which the log says', async () => {
    const engine = await openEmbedded({ path: join(folder, 'engine') });
    const embedded = await startApi({ telemetry: engine });
    try {
      expect(
        (
          await embedded.managed.call('POST', pipesOf(embedded), {
            body: body('kept', ['analyst']),
          })
        ).status,
      ).toBe(200);
      expect(
        embedded.logLines.filter((line) => line.includes('does not support roles')),
      ).toHaveLength(1);
      const table = (name: string) => ({
        sourceSchemaName: 'public',
        sourceTable: name,
        targetTable: name,
      });
      const copied = await embedded.managed.call('POST', pipesOf(embedded), {
        body: {
          source: {
            postgres: { host: '127.0.0.1', database: 'shop', tableMappings: [table('orders')] },
          },
          destination: { database: 'telemetry', roles: ['analyst'] },
        },
      });
      await embedded.managed.call('PATCH', `${pipesOf(embedded)}/${copied.json.result.id}`, {
        body: { source: { postgres: { tableMappingsToAdd: [table('items')] } } },
      });
      expect(
        embedded.logLines
          .filter((line) => line.includes('does not support roles'))
          .map((line) => (JSON.parse(line) as { tables: string[] }).tables),
      ).toEqual([['kept'], ['orders'], ['items']]);
    } finally {
      await embedded.stop();
      await engine.close();
    }
  });
});
