import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { sql } from '../../src/sql/sql.ts';
import { startApiWithEngine, type ApiWithEngine } from '../kit/api-with-engine.ts';
import { eventually } from '../kit/eventually.ts';

const t0 = 1_767_225_600_000;
const rows = 1_000_050;
let kit: ApiWithEngine;
let logs: string;

beforeAll(async () => {
  kit = await startApiWithEngine();
  const { json } = await kit.api.call('GET', '/sources');
  logs = json.data[0].id;
  await kit.engine.command(
    sql`INSERT INTO telemetry.otel_logs (Timestamp, ServiceName, Body)
      SELECT fromUnixTimestamp64Milli(${t0} + number), 's', concat(toString(number), repeat(' x', 200))
      FROM numbers(${rows})`,
  );
});
afterAll(() => kit.stop());

const running = async (): Promise<number> => {
  const [row] = await kit.engine.rows(
    sql`SELECT count() AS n FROM system.processes WHERE query LIKE '%EachRowWithNames%'
      AND query NOT LIKE '%system.processes%'`,
  );
  return Number(row?.['n']);
};

const open: ClientRequest[] = [];
afterEach(async () => {
  for (const call of open.splice(0)) {
    call.destroy();
  }
  await eventually(async () => expect(await running()).toBe(0), 10_000);
});

async function exporting(over: object = {}): Promise<[ClientRequest, IncomingMessage]> {
  const call = request(`${kit.api.url}/api/v2/search/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${kit.api.accessKey}`, 'content-type': 'application/json' },
  });
  const range = { startTime: t0, endTime: t0 + 3_600_000 };
  open.push(call);
  call.on('error', () => {});
  call.end(JSON.stringify({ sourceId: logs, ...range, format: 'ndjson', ...over }));
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  return [call, response];
}

it('a million rows come newest first, in bounded memory, and the cut is told', async () => {
  const beforeBytes = process.memoryUsage().rss;
  const [, response] = await exporting();
  let lines = 0;
  let first = '';
  let peakBytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    first ||= chunk.toString('utf8', 0, 200);
    lines += chunk.reduce((count, byte) => count + Number(byte === 0x0a), 0);
    peakBytes = Math.max(peakBytes, process.memoryUsage().rss);
  }
  expect(first).toContain(`"Body":"${rows - 1} x`);
  expect([lines, response.complete]).toEqual([1_000_000, true]);
  expect(response.headers['x-sightline-row-limit']).toBe('1000000');
  expect(response.trailers['x-sightline-truncated']).toBe('true');
  // The file has 600 MB.
  expect(peakBytes - beforeBytes).toBeLessThan(250 * 1024 * 1024);
  expect(await running()).toBe(0);
});

it('a caller who goes away takes the query along', async () => {
  const [call, response] = await exporting();
  await once(response, 'readable');
  expect(await running()).toBe(1);
  call.destroy();
  await eventually(async () => expect(await running()).toBe(0), 5000);
});

it('a query that fails in the middle breaks the connection, without a clean end', async () => {
  const [call, response] = await exporting();
  await once(response, 'readable');
  expect(response.statusCode).toBe(200);
  const failed = once(response, 'error');
  // The engine can stop the query when somebody reads on.
  const killed = kit.engine.command(
    sql`KILL QUERY WHERE query LIKE '%EachRowWithNames%' AND user != currentUser() ASYNC`,
  );
  response.resume();
  await killed;
  expect((await failed)[0]).toMatchObject({ code: 'ECONNRESET' });
  expect(response.complete).toBe(false);
  call.destroy();
  await eventually(() =>
    expect(kit.api.logLines.some((line) => JSON.stringify(line).includes('export broke off'))).toBe(
      true,
    ),
  );
});

it('however many exports nobody reads, charts do not wait for them', async () => {
  const waiting = Array.from({ length: 6 }, () => exporting().catch(() => undefined));
  await Promise.any(waiting);
  const { status } = await kit.api.call('POST', '/charts/series', {
    body: { series: [{ sourceId: logs, aggFn: 'count' }], startTime: t0, endTime: t0 + 3_600_000 },
  });
  expect(status).toBe(200);
});
