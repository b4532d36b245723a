import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { KafkaMock } from '../kit/kafka-mock.ts';
import type { KinesisPeer } from '../kit/kinesis.ts';
import type { S3Peer } from '../kit/s3.ts';

export interface LoadPeers {
  kafka: KafkaMock | undefined;
  kinesis: KinesisPeer;
  s3: S3Peer;
  postgres: Client | undefined;
}

const partitions = 4;
const rowsOfOneTurn = { kafka: 100, kinesis: 40, objects: 200, postgres: 20 };

/** Fills every source with rows numbered from 0, until it is stopped. */
export class Load {
  /** Rows at each source, by the name of its table. */
  readonly sent: Record<string, number> = {};
  readonly #peers: LoadPeers;
  readonly #loops: Promise<void>[];
  #stopped = false;

  constructor(peers: LoadPeers) {
    this.#peers = peers;
    const { kafka, postgres } = peers;
    this.#loops = [
      ...(kafka ? [this.#repeat('kafka', (from) => this.#kafka(kafka, from))] : []),
      this.#repeat('kinesis', (from) => this.#kinesis(from)),
      this.#repeat('objects', (from) => this.#objects(from)),
      ...(postgres ? [this.#repeat('postgres', (from) => this.#postgres(postgres, from))] : []),
    ];
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#loops);
  }

  async #repeat(
    table: keyof typeof rowsOfOneTurn,
    send: (from: number) => Promise<unknown>,
  ): Promise<void> {
    for (let from = 0; !this.#stopped; from += rowsOfOneTurn[table]) {
      await send(from);
      this.sent[table] = from + rowsOfOneTurn[table];
      await pause(60);
    }
  }

  #kafka({ producer }: KafkaMock, from: number): Promise<unknown> {
    const messages = numbers(from, rowsOfOneTurn.kafka).map((n) => ({
      value: `{"n":${n}}`,
      partition: n % partitions,
    }));
    return producer.send({ topic: 'power', messages });
  }

  #kinesis(from: number): Promise<unknown> {
    const records = numbers(from, rowsOfOneTurn.kinesis);
    return this.#peers.kinesis.put(
      'power',
      records.map((n) => ({ key: String(n), data: `{"n":${n}}` })),
    );
  }

  #objects(from: number): Promise<unknown> {
    const body = numbers(from, rowsOfOneTurn.objects).map((n) => `{"n":${n}}\n`);
    return this.#peers.s3.put('power', `in/${String(from).padStart(12, '0')}.json`, body.join(''));
  }

  #postgres(client: Client, from: number): Promise<unknown> {
    return client.query('INSERT INTO power SELECT generate_series($1::int, $2::int)', [
      from,
      from + rowsOfOneTurn.postgres - 1,
    ]);
  }
}

/** Sends log records until the server is gone, and remembers the acknowledged ones. */
export class LogSender {
  readonly acknowledged: number[] = [];
  #next = 0;

  /** Ends when a request fails: the server has no disk any more. */
  async run(url: string, ingestionKey: string): Promise<void> {
    const loop = async (): Promise<void> => {
      for (;;) {
        const records = numbers(this.#next, 10);
        this.#next += records.length;
        const answer = await fetch(`${url}/v1/logs`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: ingestionKey },
          body: exportRequest(records),
          signal: AbortSignal.timeout(20_000),
        });
        await answer.arrayBuffer();
        if (answer.status !== 200) {
          return;
        }
        this.acknowledged.push(...records);
      }
    };
    await Promise.allSettled([loop(), loop(), loop()]);
  }
}

function exportRequest(records: readonly number[]): string {
  const logRecords = records.map((n) => ({
    timeUnixNano: `${Date.now()}000000`,
    severityText: 'INFO',
    body: { stringValue: String(n) },
  }));
  return JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] });
}

const numbers = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => from + index);
