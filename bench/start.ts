import { once } from 'node:events';
import { loadavg } from 'node:os';
import { Program, type Server } from '../test/kit/program.ts';
import { logsRequest } from './log-records.ts';
import { openApi } from './open-api.ts';

/**
 * How long a start takes, from the command to the answer to the first request (a chart of the last
 * hour), with a million log records in the engine: seven times after a stop, then three times after
 * kill -9. `npm run -s build && npx tsx bench/start.ts`, about half a minute.
 */
const target = 3000;
const requests = 200;
const rows = 5000;
const accessKey = 'slp_start00000000000000000000000000000000000';
const ingestionKey = 'sli_start00000000000000000000000000000000000';
const program = new Program({
  SIGHTLINE_BOOTSTRAP_ACCESS_KEY: accessKey,
  SIGHTLINE_BOOTSTRAP_INGESTION_KEY: ingestionKey,
});

try {
  let server = await program.serve();
  await fill(server);
  const sourceId = await logSource(server);
  const stop = async (): Promise<void> => void (await server.stop());
  const kill = async (): Promise<void> => {
    const ended = once(server.child, 'close');
    server.child.kill('SIGKILL');
    await ended;
  };
  const answered = async (end: () => Promise<void>): Promise<number> => {
    await end();
    const began = performance.now();
    server = await program.serve();
    await chart(server, sourceId);
    return performance.now() - began;
  };
  const warm: number[] = [];
  for (let round = 0; round < 7; round++) {
    warm.push(await answered(stop));
  }
  const killed: number[] = [];
  for (let round = 0; round < 3; round++) {
    killed.push(await answered(kill));
  }
  console.log(`load ${loadavg()[0]!.toFixed(1)}`);
  console.log(`after kill -9: ${shown(killed)}`);
  console.log(
    `${Math.max(...warm) <= target ? 'PASS' : 'MISS'}  start to first answer: ${shown(warm)} ` +
      `(target ${target} ms)`,
  );
} finally {
  await program.remove();
}

async function fill({ otlpHttp }: Server): Promise<void> {
  for (let batch = 0; batch < requests; batch++) {
    const response = await fetch(`${otlpHttp}/v1/logs`, {
      method: 'POST',
      headers: { authorization: ingestionKey, 'content-type': 'application/x-protobuf' },
      body: Buffer.from(logsRequest({ rows, batch, stepMs: 0.7 })),
    });
    if (!response.ok) {
      throw new Error(`OTLP: ${response.status} ${await response.text()}`);
    }
    await response.arrayBuffer();
  }
}

async function logSource({ api }: Server): Promise<string> {
  const sources = await openApi(api, accessKey)<{ id: string; kind: string }[]>('sources');
  return sources.find(({ kind }) => kind === 'log')!.id;
}

async function chart({ api }: Server, sourceId: string): Promise<void> {
  await openApi(api, accessKey)('charts/series', {
    series: [{ sourceId, aggFn: 'count', where: '', groupBy: ['ServiceName'] }],
    startTime: Date.now() - 3_600_000,
    endTime: Date.now(),
    granularity: '1m',
  });
}

function shown(times: readonly number[]): string {
  const sorted = times.map(Math.round).toSorted((a, b) => a - b);
  return `median ${sorted[sorted.length >> 1]} ms (${sorted[0]} to ${sorted.at(-1)})`;
}
