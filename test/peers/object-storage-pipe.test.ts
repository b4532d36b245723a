import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/sql/sql.ts';
import { startS3, type S3Peer } from '../kit/s3.ts';
import { pipeWorld, until, type PipeWorld } from '../pipes/pipe-world.ts';

const columns = [{ name: 'n', type: 'UInt64' }, { name: 'text', type: 'String' }];
const lines = (from: number, to: number): string => Array.from({ length: to - from }, (_, index) => `{"n":${from + index},"text":"ü ${from + index}"}\n`).join('');

describe('object storage pipes on an S3 server', () => {
  let peer: S3Peer;
  let world: PipeWorld;
  let made = 0;
  beforeAll(async () => {
    peer = await startS3();
    world = await pipeWorld();
    world.pipes.start();
  });
  afterAll(async () => {
    await world?.close();
    await peer?.remove();
  });

  /** A bucket of its own, and a pipe over it. */
  async function bucket(): Promise<string> {
    const name = `bucket-${++made}`;
    await peer.bucket(name);
    return name;
  }
  const pipeOf = (name: string, path: string, more: { source?: object; destination?: object; body?: object } = {}): object => ({
    source: { objectStorage: { url: `${peer.endpoint}/${name}/${path}`, accessKey: peer.accessKey, ...more.source } },
    destination: { database: 'shop', table: name.replace('-', '_'), columns, tableDefinition: { sortingKey: ['n'] }, ...more.destination },
    ...more.body,
  });
  const ended = (id: string): Promise<unknown> => until('the load to end', async () => (await world.get(id)).state === 'Completed');
  const counts = async (name: string): Promise<number[]> => (await world.rows(sql`SELECT count(), uniqExact(n), sum(n) FROM merge('shop', ${`^${name.replace('-', '_')}$`})`))[0]!.map(Number);

  it('a one-time load stores each object once and completes', async () => {
    const name = await bucket();
    await peer.put(name, 'data/a.json', lines(0, 100));
    await peer.put(name, 'data/deep/b.jsonl.gz', gzipSync(lines(100, 200)));
    await peer.put(name, 'data/c.csv', 'n,text\n200,x\n201,y\n');
    await peer.put(name, 'other/d.json', lines(900, 999));
    const pipe = await world.create(pipeOf(name, 'data/**'));
    await ended(pipe.id);
    expect(await counts(name)).toEqual([202, 202, (201 * 202) / 2]);
    expect(await world.metrics(pipe.id)).toMatchObject({ rows: 202, errors: 0 });
    expect(world.logged.join('\n')).not.toContain('S3RVER');
  });
});
