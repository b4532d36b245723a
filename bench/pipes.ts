import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { literal, sql } from '../src/sql/sql.ts';
import { startKafka } from '../test/kit/kafka.ts';
import { pipeWorld, until } from '../test/pipes/pipe-world.ts';

/** Kafka JSON records into a table, against the engine reading the same rows from a file; and how soon a record can be seen. Both in one run. */
const rows = Number(process.argv[2] ?? 1_000_000);
const columns = [{ name: 'id', type: 'UInt64' }, { name: 'service', type: 'String' }, { name: 'body', type: 'String' }, { name: 'ms', type: 'Float64' }];
const definition = (table: string, brokers: string) => ({
  source: { kafka: { brokers, topics: table } }, destination: { database: 'shop', table, columns, tableDefinition: { sortingKey: ['id'] } },
  settings: { streaming_max_insert_wait_ms: 500 }, scaling: { replicaMemoryGb: 2, replicaCpuMillicores: 1000 },
});
const rowText = (id: number): string => `{"id":${id},"service":"checkout-${id % 7}","body":"order ${id} was placed by customer ${id * 7 % 100_003} and paid by card","ms":${(id % 1000) / 3}}`;
const cpuMs = (): number => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };

const [peer, world] = await Promise.all([startKafka(), pipeWorld()]);
try {
  await peer.createTopic('bench', 8);
  const file = join(tmpdir(), 'sightline-bench-pipes.ndjson');
  const lines: string[] = [];
  for (let at = 0; at < rows; at += 2000) {
    const values = Array.from({ length: Math.min(2000, rows - at) }, (_, index) => rowText(at + index));
    lines.push(...values);
    await peer.producer.send({ topic: 'bench', acks: 1, messages: values.map((value, index) => ({ value, partition: Math.floor(at / 2000 + index / 250) % 8 })) });
  }
  writeFileSync(file, lines.join('\n'));
  lines.length = 0;

  await world.telemetry.command(sql`CREATE DATABASE IF NOT EXISTS shop`, { purpose: 'admin', timeoutMs: 60_000 });
  await world.telemetry.command(sql`CREATE TABLE shop.direct (id UInt64, service String, body String, ms Float64) ENGINE = MergeTree ORDER BY id`, { purpose: 'admin', timeoutMs: 60_000 });
  const directCpu = cpuMs();
  const directAt = performance.now();
  await world.telemetry.command(sql`INSERT INTO shop.direct SELECT * FROM file(${literal(file)}, 'JSONEachRow', 'id UInt64, service String, body String, ms Float64')`, { purpose: 'admin', timeoutMs: 600_000 });
  const directMs = performance.now() - directAt;
  const directCpuMs = cpuMs() - directCpu;

  const pipeCpu = cpuMs();
  await world.create(definition('bench', peer.plain));
  const pipeAt = performance.now();
  world.pipes.start();
  await until('all rows', async () => Number((await world.rows(sql`SELECT count() FROM shop.bench`))[0]?.[0]) === rows, 900_000);
  const pipeMs = performance.now() - pipeAt;
  const pipeCpuMs = cpuMs() - pipeCpu;
  const perSecond = (ms: number): number => Math.round(rows / ms * 1000);
  console.log(`rows: ${rows}`);
  console.log(`file() into a table: ${perSecond(directMs)} rows/s, ${(directCpuMs / rows * 1000).toFixed(2)} µs CPU a row`);
  console.log(`Kafka into a table:  ${perSecond(pipeMs)} rows/s, ${(pipeCpuMs / rows * 1000).toFixed(2)} µs CPU a row (from the start of the pipe, joining the group included)`);
  console.log(`ratio: ${(directMs / pipeMs).toFixed(2)} of the speed`);

  await peer.createTopic('latency', 4);
  await world.create({ ...definition('latency', peer.plain), destination: { database: 'shop', table: 'latency', columns: [{ name: 'id', type: 'UInt64' }, { name: 'sent', type: 'Int64' }] } });
  const seen: number[] = [];
  const sentAt: number[] = [];
  for (let tick = 0; tick < 100; tick++) {
    const now = Date.now();
    sentAt.push(now);
    await peer.producer.send({ topic: 'latency', messages: Array.from({ length: 100 }, (_, index) => ({ value: `{"id":${tick * 100 + index},"sent":${now}}` })) });
    await new Promise((resolve) => { setTimeout(resolve, Math.max(0, 100 - (Date.now() - now))); });
    const [newest] = (await world.rows(sql`SELECT max(sent) FROM shop.latency`))[0] ?? [];
    while (sentAt.length > 0 && sentAt[0]! <= Number(newest)) seen.push(Date.now() - sentAt.shift()!);
  }
  seen.sort((a, b) => a - b);
  console.log(`record to visible at 1,000 messages/s, wait setting 500 ms: p50 ${seen[Math.floor(seen.length / 2)]} ms, p95 ${seen[Math.floor(seen.length * 0.95)]} ms (looked at every 100 ms)`);
} finally {
  await world.close();
  await peer.remove();
}
process.exit(0);
