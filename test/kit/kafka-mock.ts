import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Kafka, logLevel, type Admin, type Producer } from 'kafkajs';

export interface KafkaMock {
  broker: string;
  admin: Admin;
  producer: Producer;
  createTopic(name: string, partitions: number): Promise<void>;
  remove(): Promise<void>;
}

const there = (program: string, ...args: string[]): boolean =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0;

/** Wanted where there is no Java, in CI, or with SIGHTLINE_TEST_KAFKA=mock. */
export function kafkaMockMissing(): boolean {
  const isOther =
    !process.env['CI'] &&
    process.env['SIGHTLINE_TEST_KAFKA'] !== 'mock' &&
    there('java', '-version');
  return isOther || kafkaMockPartsMissing();
}

/** It needs a C compiler and librdkafka. */
export function kafkaMockPartsMissing(): boolean {
  if (
    there(
      'cc',
      '-E',
      '-include',
      'librdkafka/rdkafka.h',
      '-include',
      'librdkafka/rdkafka_mock.h',
      '-x',
      'c',
      '/dev/null',
    )
  ) {
    return false;
  }
  const hint =
    "librdkafka's mock cluster shows some of the Kafka connector without Java " +
    '(Debian: apt-get install gcc libc6-dev librdkafka-dev)';
  if (process.env['CI']) {
    throw new Error(hint);
  }
  console.log(`skipped: ${hint}`);
  return true;
}

/**
 * librdkafka's mock cluster: the real protocol with groups, in memory, 5 MB a partition; without
 * authentication, times and broker restarts.
 */
export async function startKafkaMock(): Promise<KafkaMock> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-kafka-mock-'));
  const program = join(folder, 'kafka-mock');
  const compiled = spawnSync(
    'cc',
    ['-o', program, join(import.meta.dirname, 'kafka-mock.c'), '-lrdkafka'],
    { encoding: 'utf8' },
  );
  if (compiled.status !== 0) {
    throw new Error(`the mock cluster does not compile: ${compiled.stderr}`);
  }
  const cluster = spawn(program, { stdio: ['pipe', 'pipe', 'ignore'] });
  const lines = createInterface({ input: cluster.stdout })[Symbol.asyncIterator]();
  const line = async (): Promise<string> => String((await lines.next()).value);
  const broker = await line();
  const kafka = new Kafka({ clientId: 'test', brokers: [broker], logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  const producer = kafka.producer();
  await Promise.all([admin.connect(), producer.connect()]);
  return {
    broker,
    admin,
    producer,
    async createTopic(name, partitions) {
      cluster.stdin.write(`${name} ${partitions}\n`);
      if ((await line()) !== 'made 0') {
        throw new Error(`the topic ${name} was not made`);
      }
    },
    async remove() {
      await Promise.all([producer.disconnect(), admin.disconnect()]);
      const ended = new Promise((resolve) => cluster.once('exit', resolve));
      cluster.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
