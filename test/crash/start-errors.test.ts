import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Disk, diskMissing } from '../kit/disk.ts';
import { until } from '../kit/eventually.ts';
import { Program } from '../kit/program.ts';
import { Browser } from '../kit/ui.ts';

const logLine = '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"x"}}]}]}]}';

describe('a start that cannot go on', () => {
  let program: Program;
  beforeEach(() => {
    program = new Program();
  });
  afterEach(() => program.remove());

  const refused = async (): Promise<string> => {
    const { code, stderr } = await program.run('serve');
    expect(code).not.toBe(0);
    return stderr;
  };

  it('names the missing or damaged file and says what to do', async () => {
    const server = await program.serve();
    await server.stop();
    const [key, store] = ['secret.key', 'sightline.db'].map((name) =>
      join(program.dataDir, name),
    ) as [string, string];

    renameSync(key, `${key}.away`);
    expect(await refused()).toMatch(
      /secret\.key is missing, but .*sightline\.db .*Restore the file/,
    );
    expect(existsSync(key)).toBe(false);
    renameSync(`${key}.away`, key);

    copyFileSync(store, `${store}.away`);
    for (const suffix of ['', '-wal', '-shm']) {
      rmSync(`${store}${suffix}`, { force: true });
    }
    expect(await refused()).toMatch(/sightline\.db is missing, but .*telemetry has telemetry/);
    expect(existsSync(store)).toBe(false);

    writeFileSync(store, 'this is not a database, but it is longer than its header. '.repeat(20));
    expect(await refused()).toMatch(
      /cannot open the metadata store .*sightline\.db: .*not a database.* Restore the file/,
    );
    copyFileSync(`${store}.away`, store);
    expect((await (await program.serve()).stop()).code).toBe(0);
  });

  it('names broken parts on /ready, on /metrics and in the log, and goes on', async () => {
    const ingestionKey = 'sli_test_ingestion_key_0000000000000000000000';
    const environment = { SIGHTLINE_BOOTSTRAP_INGESTION_KEY: ingestionKey };
    const first = await program.serve(environment);
    const sent = await fetch(`${first.otlpHttp}/v1/logs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: ingestionKey },
      body: logLine,
    });
    expect(sent.status).toBe(200);
    expect(await (await fetch(`${first.api}/ready`)).json()).toEqual({ status: 'ready' });
    await first.stop();
    const store = join(program.dataDir, 'telemetry', 'store');
    const [data] = readdirSync(store, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /\/\d{8}_\d+_\d+_\d+\/data\.bin$/.test(path),
    );
    truncateSync(join(store, data!), 10);
    const second = await program.serve(environment);
    expect(await (await fetch(`${second.api}/ready`)).json()).toEqual({
      status: 'ready',
      brokenParts: 1,
    });
    expect(await (await fetch(`${second.api}/metrics`)).text()).toContain(
      'sightline_engine_broken_parts 1',
    );
    expect((await second.stop()).stderr).toContain('telemetry part is broken');
  });

  it('shows the first credentials again until somebody uses them, and keeps them sealed', async () => {
    // A start that fails after the store was filled: the ports are checked last.
    const blocker = await program.serve();
    const port = new URL(blocker.api).port;
    const other = new Program({ SIGHTLINE_API_PORT: port });
    try {
      expect((await other.run('serve')).code).not.toBe(0);
      const sealed = readFileSync(join(other.dataDir, 'first-credentials'), 'utf8');
      const server = await other.serve({ SIGHTLINE_API_PORT: '0' });
      const accessKey = /access key +(\S+)/.exec(server.banner)?.[1] ?? '';
      expect(accessKey).toMatch(/^slp_/);
      expect(sealed).not.toContain(accessKey);
      await server.stop();

      const again = await other.serve({ SIGHTLINE_API_PORT: '0' });
      expect(again.banner).toContain(accessKey);
      const answer = await fetch(`${again.api}/api/v2/sources`, {
        headers: { authorization: `Bearer ${accessKey}` },
      });
      expect(answer.status).toBe(200);
      await again.stop();
      expect(existsSync(join(other.dataDir, 'first-credentials'))).toBe(false);

      const last = await other.serve({ SIGHTLINE_API_PORT: '0' });
      expect(last.banner).not.toContain('First start');
      await last.stop();
    } finally {
      await other.remove();
    }
  });
});

describe('the first credentials', () => {
  it('are shown again after another key was used, until somebody signs in', async () => {
    const program = new Program();
    try {
      const first = await program.serve();
      const [, email = '', password = ''] = /user +(\S+) +password (\S+)/.exec(first.banner) ?? [];
      const made = await program.run('admin', 'access-keys', 'create', email);
      const another = /slp_\S+/.exec(made.stdout)?.[0] ?? '';
      const answer = await fetch(`${first.api}/api/v2/sources`, {
        headers: { authorization: `Bearer ${another}` },
      });
      expect(answer.status).toBe(200);
      await first.stop();

      const second = await program.serve();
      expect(second.banner).toContain(password);
      const session = await new Browser(second.ui).signIn(email, password);
      expect(session.status).toBe(200);
      await second.stop();

      const third = await program.serve();
      expect(third.banner).not.toContain('First start');
      await third.stop();
    } finally {
      await program.remove();
    }
  });
});

describe.skipIf(diskMissing())('a server whose disk is full', () => {
  it('says so on /ready and to senders, and goes on when there is space again', async () => {
    const disk = Disk.create(192);
    const ingestionKey = 'sli_test_ingestion_key_0000000000000000000000';
    const program = new Program({
      SIGHTLINE_DATA_DIR: join(disk.path, 'data'),
      SIGHTLINE_BOOTSTRAP_INGESTION_KEY: ingestionKey,
    });
    try {
      const server = await program.serve();
      const ready = async (): Promise<unknown> => (await fetch(`${server.api}/ready`)).json();
      const send = async (): Promise<{ status: number; text: string }> => {
        const answer = await fetch(`${server.otlpHttp}/v1/logs`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: ingestionKey },
          body: logLine,
        });
        return { status: answer.status, text: await answer.text() };
      };
      expect(await ready()).toEqual({ status: 'ready' });
      expect((await send()).status).toBe(200);
      disk.fill();
      await until('/ready to tell', async () =>
        JSON.stringify(await ready()).includes('"failing":["disk'),
      );
      const refused = await send();
      expect(refused).toMatchObject({ status: 503 });
      expect(refused.text).toContain('the disk is full');
      disk.free();
      await until('the server to store again', async () => (await send()).status === 200);
      await until('/ready to be ready', async () =>
        JSON.stringify(await ready()).includes('"ready"'),
      );
      expect((await server.stop()).code).toBe(0);
    } finally {
      await program.remove();
      await disk.unmount();
      disk.remove();
    }
  });
});
