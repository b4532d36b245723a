import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { postgresMissing, startPostgres } from '../kit/postgres.ts';
import { Program, type Server } from '../kit/program.ts';

const accessKey = 'crash-access-key-0123456789abcdef0123456789';
const keyId = 'crashkeyid0123456789';
const keySecret = 'crash-key-secret-0123456789-0123456789-0123456789';
const organizationId = '11111111-2222-4333-8444-555555555555';
const rounds = 7;
const senders = 12;

interface Post {
  name: string;
  path: string;
  authorization: string;
  /** The answer, if it came before the kill. */
  text?: string;
}

const bearer = `Bearer ${accessKey}`;
const basic = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`;
const collections = [
  ['/api/v2/team/access-keys', bearer],
  [`/v1/organizations/${organizationId}/keys`, basic],
  ['/api/v2/dashboards', bearer],
  ['/api/v2/dashboards', bearer],
] as const;

function postOf(name: string, sender: number): Post {
  const [path, authorization] = collections[sender % collections.length]!;
  return { name, path, authorization };
}

const send = ({ api }: Server, { name, path, authorization }: Post): Promise<Response> =>
  fetch(api + path, {
    method: 'POST',
    headers: {
      authorization,
      'content-type': 'application/json',
      'idempotency-key': `key-of-${name}`,
    },
    body: JSON.stringify({ name }),
  });

/** Sends requests side by side and kills the server while some of them run. */
async function postUntilKilled(server: Server, round: number): Promise<Post[]> {
  const posts: Post[] = [];
  const killAfter = senders + Math.floor(Math.random() * senders * 2);
  let answers = 0;
  let killed = false;
  const strike = async (): Promise<void> => {
    await pause(Math.random() * 8);
    killed = true;
    server.child.kill('SIGKILL');
  };
  let striking: Promise<void> | undefined;
  const sendUntilKilled = async (sender: number): Promise<void> => {
    for (;;) {
      const post = postOf(`r${round}-${sender}-${posts.length}`, sender);
      posts.push(post);
      let response: Response;
      try {
        response = await send(server, post);
        post.text = await response.text();
      } catch {
        // The connection broke: the request has no answer.
        return;
      }
      expect(response.status, post.text).toBe(200);
      if (++answers >= killAfter) {
        striking ??= strike();
      }
      if (killed) {
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: senders }, (_, sender) => sendUntilKilled(sender)));
  await striking;
  await server.ended;
  return posts;
}

/** How many objects of each name exist. */
async function counts(server: Server): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const [path, authorization] of collections.slice(0, 3)) {
    const response = await fetch(server.api + path, { headers: { authorization } });
    const body = (await response.json()) as Record<'data' | 'result', { name: string }[]>;
    for (const { name } of body.data ?? body.result) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return counts;
}

async function crashAndRetry(program: Program, databaseUrl?: string): Promise<void> {
  const environment = {
    SIGHTLINE_ROLES: 'api,ingest',
    SIGHTLINE_RATE_LIMIT: 'off',
    SIGHTLINE_BOOTSTRAP_ACCESS_KEY: accessKey,
    SIGHTLINE_BOOTSTRAP_KEY_ID: keyId,
    SIGHTLINE_BOOTSTRAP_KEY_SECRET: keySecret,
    SIGHTLINE_BOOTSTRAP_ORGANIZATION_ID: organizationId,
    ...(databaseUrl !== undefined && {
      SIGHTLINE_DATABASE_URL: databaseUrl,
      SIGHTLINE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    }),
  };
  const all: Post[] = [];
  for (let round = 0; round < rounds; round++) {
    const server = await program.serve(environment);
    all.push(...(await postUntilKilled(server, round)));
  }
  const server = await program.serve(environment);
  const before = await counts(server);
  const cut = all.filter(({ text }) => text === undefined);
  const doneButCut = cut.filter(({ name }) => before.has(name));
  console.log(
    `${all.length} requests, ${cut.length} without an answer, ${doneButCut.length} of them done`,
  );
  for (const post of all) {
    const response = await send(server, post);
    const text = await response.text();
    expect(response.status, text).toBe(200);
    expect(response.headers.get('idempotency-replayed')).toBe(
      before.has(post.name) ? 'true' : null,
    );
    if (post.text !== undefined) {
      expect(text).toBe(post.text);
    }
  }
  const after = await counts(server);
  expect(all.filter(({ name }) => after.get(name) !== 1)).toEqual([]);
  expect(cut.length).toBeGreaterThanOrEqual(50);
  await server.stop();
}

describe('kill -9 between a request and its answer', () => {
  const programs: Program[] = [];
  const program = (): Program => {
    const made = new Program();
    programs.push(made);
    return made;
  };
  afterAll(() => Promise.all(programs.map((one) => one.remove())));

  test('on SQLite: a retry under the same Idempotency-Key makes no second object', () =>
    crashAndRetry(program()));

  test.skipIf(postgresMissing())(
    'on PostgreSQL: a retry under the same Idempotency-Key makes no second object',
    async () => {
      const peer = await startPostgres();
      try {
        await crashAndRetry(program(), await peer.createDatabase());
      } finally {
        await peer.remove();
      }
    },
  );
});
