import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { KafkaPeer } from '../kit/kafka.ts';
import { testRegion, type KinesisPeer } from '../kit/kinesis.ts';
import type { PostgresPeer } from '../kit/postgres.ts';
import type { S3Peer } from '../kit/s3.ts';
import { key } from '../otlp/kit.ts';
import { postgresPipe } from '../pipes/postgres-pipe.ts';

/** Numbers from 0 to 1 that a seed determines. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const columns = [
  { name: 'id', type: 'UInt32' },
  { name: 'text', type: 'String' },
];
const fast = { streaming_max_insert_wait_ms: 500 };
const objectRows = 50;
const batchRows = 100;
const replacedKeys = 500;
const senders = 4;

/** A pipe of every kind, two of them into tables that replace rows. */
export function pipeBodies({
  s3,
  kafka,
  postgres,
}: {
  s3: S3Peer;
  kafka: KafkaPeer;
  postgres: PostgresPeer;
}): object[] {
  const objects = (folder: string, destination: object) => ({
    source: {
      objectStorage: {
        url: `${s3.direct}/objects/${folder}/**`,
        accessKey: s3.accessKey,
        isContinuous: true,
      },
    },
    destination: { database: 'shop', table: folder, ...destination },
    settings: { object_storage_polling_interval_ms: 100, object_storage_max_file_count: 5 },
  });
  const placed = [...columns, { name: 'place', type: 'UInt64' }, { name: 'part', type: 'UInt16' }];
  const fields = { id: 'id', text: 'text', place: '_offset', part: '_partition' };
  return [
    objects('objects', { columns, tableDefinition: { sortingKey: ['id'] } }),
    objects('replaced', {
      columns: [...columns, { name: 'version', type: 'UInt64' }],
      tableDefinition: {
        engine: { type: 'ReplacingMergeTree', versionColumnId: 'version' },
        sortingKey: ['id'],
      },
    }),
    {
      source: { kafka: { brokers: kafka.plain, topics: 'records' } },
      destination: {
        database: 'shop',
        table: 'records',
        columns: placed,
        tableDefinition: { sortingKey: ['id'] },
      },
      fieldMappings: Object.entries(fields).map(([destinationField, sourceField]) => ({
        destinationField,
        sourceField,
      })),
      settings: fast,
    },
    {
      source: {
        cloudstream: {
          streamName: 'events',
          region: testRegion,
          accessKey: { accessKeyId: 'AKIDTEST', secretKey: 'a secret key' },
        },
      },
      destination: {
        database: 'shop',
        table: 'events',
        columns,
        tableDefinition: { sortingKey: ['id'] },
      },
      settings: fast,
    },
    postgresPipe(postgres, [{ table: 'orders', key: ['id'] }]),
  ];
}

export interface Traffic {
  /** Rows that each source has. */
  sent: { objects: number; replaced: number; records: number; events: number };
  /** Log records whose request was answered with success. */
  acknowledged: ReadonlySet<number>;
  /** Log records whose request was not answered when the process crashed. */
  uncertain: ReadonlySet<number>;
  /** Where log records go. */
  sendTo(otlpUrl: string): void;
  /** The process is about to crash. */
  noteCrash(): void;
  /** Waits until every request was answered. */
  stop(): Promise<void>;
  /** Stops at once, whatever is open. */
  abandon(): void;
}

interface Peers {
  s3: S3Peer;
  kafka: KafkaPeer;
  kinesis: KinesisPeer;
  client: Client;
  seed: number;
}

/** Rows for every source, and log records, until it is stopped. */
export function startTraffic({ s3, kafka, kinesis, client, seed }: Peers): Traffic {
  const random = seededRandom(seed + 1);
  const stopping = new AbortController();
  const abandoned = new AbortController();
  const sent = { objects: 0, replaced: 0, records: 0, events: 0 };
  const logs = new LogSender(abandoned.signal);
  const repeat = async (intervalMs: number, work: () => Promise<void>): Promise<void> => {
    try {
      while (!stopping.signal.aborted) {
        await work();
        await pause(intervalMs);
      }
    } catch (error) {
      // Peers that are closed before it stopped: the test has failed already.
      if (!abandoned.signal.aborted) {
        throw error;
      }
    }
  };
  const lines = (count: number, line: (index: number) => object): string =>
    Array.from({ length: count }, (_, index) => `${JSON.stringify(line(index))}\n`).join('');
  let versions = 0;
  const loops = [
    repeat(100, async () => {
      const from = sent.objects;
      const body = lines(objectRows, (index) => ({ id: from + index, text: 'object' }));
      await s3.put('objects', `objects/${String(from).padStart(8, '0')}.json`, body);
      sent.objects += objectRows;
    }),
    repeat(200, async () => {
      const version = (versions += 1);
      const body = lines(replacedKeys, (id) => ({ id, text: `version ${version}`, version }));
      await s3.put('objects', `replaced/${String(version).padStart(8, '0')}.json`, body);
      sent.replaced = replacedKeys;
    }),
    repeat(50, async () => {
      const messages = Array.from({ length: batchRows }, (_, index) => ({
        value: JSON.stringify({ id: sent.records + index, text: 'record' }),
        partition: index % 4,
      }));
      await kafka.producer.send({ topic: 'records', messages });
      sent.records += batchRows;
    }),
    repeat(200, async () => {
      const records = Array.from({ length: batchRows }, (_, index) => ({
        key: `key ${index % 20}`,
        data: JSON.stringify({ id: sent.events + index, text: 'event' }),
      }));
      await kinesis.put('events', records);
      sent.events += batchRows;
    }),
    repeat(50, async () => {
      const [id, amount] = [Math.floor(random() * 2000), Math.floor(random() * 1000)];
      await client.query(
        random() < 0.2
          ? `DELETE FROM orders WHERE id = ${id}`
          : `INSERT INTO orders SELECT n, ${amount}, 'note' FROM generate_series(${id}, ${id + 5}) n
              ON CONFLICT (id) DO UPDATE SET amount = orders.amount + 1`,
      );
    }),
    ...Array.from({ length: senders }, () => repeat(20, () => logs.send())),
  ];
  return {
    sent,
    acknowledged: logs.acknowledged,
    uncertain: logs.uncertain,
    sendTo: (url) => logs.sendTo(url),
    noteCrash: () => logs.noteCrash(),
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
    abandon() {
      stopping.abort();
      abandoned.abort();
    },
  };
}

/** Repeats each request until it is answered with success, as a collector does. */
class LogSender {
  readonly acknowledged = new Set<number>();
  readonly uncertain = new Set<number>();
  readonly #open = new Set<number>();
  readonly #abandoned: AbortSignal;
  #url: string | undefined;
  #next = 0;

  constructor(abandoned: AbortSignal) {
    this.#abandoned = abandoned;
  }

  sendTo(url: string): void {
    this.#url = url;
  }

  noteCrash(): void {
    this.#url = undefined;
    this.#open.forEach((id) => this.uncertain.add(id));
  }

  async send(): Promise<void> {
    const id = this.#next++;
    const body = JSON.stringify({
      resourceLogs: [
        {
          scopeLogs: [
            {
              logRecords: [{ timeUnixNano: `${Date.now()}000000`, body: { stringValue: `${id}` } }],
            },
          ],
        },
      ],
    });
    this.#open.add(id);
    while (!(await this.#isTaken(body))) {
      await pause(100, undefined, { signal: this.#abandoned });
    }
    this.#open.delete(id);
    this.acknowledged.add(id);
  }

  async #isTaken(body: string): Promise<boolean> {
    if (this.#url === undefined) {
      return false;
    }
    try {
      const answer = await fetch(`${this.#url}/v1/logs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: key },
        body,
      });
      await answer.arrayBuffer();
      return answer.ok;
    } catch {
      return false;
    }
  }
}
