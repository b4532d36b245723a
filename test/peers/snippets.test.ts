import { execFile, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { snippets, type Sender } from '../../web/src/screens/welcome/snippets.ts';
import { until } from '../kit/eventually.ts';
import { http } from '../kit/http.ts';
import { kafkaMissing, startKafka, type KafkaPeer } from '../kit/kafka.ts';
import { freePort } from '../kit/port.ts';
import { Program, type Server } from '../kit/program.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const tools = join(root, '.cache', 'snippets');
const agent = join(tools, 'opentelemetry-javaagent.jar');
const collector = join(tools, 'otelcol');
/** A link to the Go command that scripts/client-generators.sh found or installed. */
const go = join(root, '.cache', 'clients', 'go', 'bin', 'go');

const accessKey = 'slp_e2e_0000000000000000000000';
/** With the characters that shells, headers and YAML treat in their own ways. */
const keyId = '0b2f6a1c-5d8e-4f3a-9c7b-1e2d3c4b5a69';
const keySecret = 'sls_e2e_0000000000000000000000';
const organizationId = '7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f';
const serviceId = '3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b';
const ingestionKey = `sli_it's$5,=100%"0123456789`;

/** Packages are downloaded and compiled, several at a time, on a machine that does other things. */
const patienceMs = 280_000;

/** For `describe.skipIf`: missing tools fail in CI and skip elsewhere. */
function toolsMissing(): boolean {
  if ([agent, collector, go].every(existsSync)) {
    return false;
  }
  const hint =
    'tools were not found: run scripts/client-generators.sh, then scripts/snippet-tools.sh';
  if (process.env['CI']) {
    throw new Error(hint);
  }
  console.log(`skipped: ${hint}`);
  return true;
}

describe.skipIf(toolsMissing()).concurrent('a pasted snippet brings its rows to search:', () => {
  let program: Program;
  let server: Server;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sightline-snippets-'));
    program = new Program({
      SIGHTLINE_BOOTSTRAP_ACCESS_KEY: accessKey,
      SIGHTLINE_BOOTSTRAP_INGESTION_KEY: ingestionKey,
    });
    server = await program.serve();
  });
  afterAll(async () => {
    await program?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const textOf = (sender: Sender): string =>
    snippets[sender].text({
      endpoint: server.otlpHttp,
      key: ingestionKey,
      api: server.ui,
      organizationId,
      serviceId,
    });

  const folderOf = (sender: Sender): string => {
    const path = join(folder, sender);
    mkdirSync(path, { recursive: true });
    return path;
  };

  /** Pastes the text into a shell, in a folder with the program of a user. */
  async function paste(text: string, cwd: string, path: readonly string[] = []): Promise<void> {
    const env = { ...process.env, PATH: [...path, process.env['PATH']].join(':') };
    await run('bash', ['-e', '-c', text], { cwd, env, timeout: patienceMs });
  }

  const withProgram = (sender: Sender, name: string): string => {
    const cwd = folderOf(sender);
    copyFileSync(join(root, 'test', 'snippets', `${name}.txt`), join(cwd, name));
    return cwd;
  };

  async function found(kind: 'log' | 'trace', where: string): Promise<void> {
    const call = { headers: { authorization: `Bearer ${accessKey}` } };
    const sources = await http('GET', `${server.api}/api/v2/sources`, call);
    const source = sources.json.data.find((one: { kind: string }) => one.kind === kind);
    await until(`a row where ${where}`, async () => {
      const nowMs = Date.now();
      const body = {
        sourceId: source.id,
        where,
        whereLanguage: 'sql',
        startTime: nowMs - 3_600_000,
        endTime: nowMs + 3_600_000,
        limit: 1,
      };
      const { json } = await http('POST', `${server.api}/api/v2/search`, { ...call, body });
      return json.data.rows.length > 0 || undefined;
    });
  }

  const spanOf = (language: string): Promise<void> =>
    found(
      'trace',
      `ServiceName = 'my-service' AND ResourceAttributes['telemetry.sdk.language'] = '${language}'`,
    );

  it('curl', async () => {
    await paste(textOf('curl'), folderOf('curl'));
    await found('log', `ServiceName = 'my-service' AND Body = 'Hello, Sightline'`);
  });

  it('Collector', async () => {
    const file = join(folderOf('collector'), 'config.yaml');
    writeFileSync(file, textOf('collector'));
    const [httpPort, grpcPort] = [await freePort(), await freePort()];
    const receiver = 'receivers.otlp.protocols';
    const child = spawn(collector, [
      `--config=${file}`,
      // Its usual ports may be taken here, and it would serve metrics of its own.
      `--set=${receiver}.http.endpoint=127.0.0.1:${httpPort}`,
      `--set=${receiver}.grpc.endpoint=127.0.0.1:${grpcPort}`,
      '--set=service.telemetry.metrics.level=none',
    ]);
    let log = '';
    child.stderr.on('data', (text) => (log += String(text)));
    try {
      const body = { resourceLogs: [{ scopeLogs: [{ logRecords: [throughCollector()] }] }] };
      await until('the collector to accept a record', async () => {
        if (child.exitCode !== null) {
          throw new Error(`the collector ended:\n${log}`);
        }
        const answer = await http('POST', `http://127.0.0.1:${httpPort}/v1/logs`, { body }).catch(
          () => undefined,
        );
        return answer?.status === 200 || undefined;
      });
      await found('log', `Body = 'through the collector'`);
    } finally {
      child.kill('SIGTERM');
    }
  });

  it('Node.js', { timeout: patienceMs }, async () => {
    await paste(textOf('node'), withProgram('node', 'app.js'), [dirname(process.execPath)]);
    await spanOf('nodejs');
  });

  it('Python', { timeout: patienceMs }, async () => {
    const cwd = withProgram('python', 'app.py');
    await run('python3', ['-m', 'venv', 'environment'], { cwd });
    // A release whose packages are all there: some of the newest appear later than the others.
    writeFileSync(
      join(cwd, 'environment', 'pip.conf'),
      `[install]\nconstraint = ${join(root, 'test', 'snippets', 'constraints.txt')}\n`,
    );
    await paste(textOf('python'), cwd, [join(cwd, 'environment', 'bin')]);
    await spanOf('python');
  });

  it('Java', { timeout: patienceMs }, async () => {
    const cwd = withProgram('java', 'App.java');
    await run('javac', ['App.java'], { cwd });
    await run('jar', ['cfe', 'app.jar', 'App', 'App.class'], { cwd });
    // Maven Central has the file too. It may be reached where the release page is not.
    const download = /^curl -LO \S+\/opentelemetry-javaagent\.jar$/m;
    expect(textOf('java')).toMatch(download);
    await paste(textOf('java').replace(download, `cp '${agent}' .`), cwd);
    await spanOf('java');
  });

  it('Go', { timeout: patienceMs }, async () => {
    await paste(textOf('go'), folderOf('go'), [dirname(go)]);
    await spanOf('go');
  });
});

const throughCollector = (): object => ({
  timeUnixNano: `${Date.now()}000000`,
  body: { stringValue: 'through the collector' },
});

describe.skipIf(kafkaMissing())('the pasted snippet of a pipe', () => {
  let program: Program;
  let peer: KafkaPeer;
  beforeAll(async () => {
    program = new Program({
      SIGHTLINE_BOOTSTRAP_ORGANIZATION_ID: organizationId,
      SIGHTLINE_BOOTSTRAP_SERVICE_ID: serviceId,
      SIGHTLINE_BOOTSTRAP_KEY_ID: keyId,
      SIGHTLINE_BOOTSTRAP_KEY_SECRET: keySecret,
      SIGHTLINE_EGRESS_ALLOW: '127.0.0.1',
    });
    peer = await startKafka();
  });
  afterAll(async () => {
    await program?.remove();
    await peer?.remove();
  });

  it('copies the records of a topic into a table', { timeout: patienceMs }, async () => {
    const server = await program.serve();
    const target = { endpoint: '', key: '', api: server.ui, organizationId, serviceId };
    const text = snippets.pipe
      .text(target)
      .replace('<key id>', keyId)
      .replace('<key secret>', keySecret)
      .replace('broker.example.com:9092', peer.plain);
    await peer.createTopic('orders');
    await run('bash', ['-e', '-c', text], { timeout: patienceMs });
    const values = [1, 2, 3].map((id) => JSON.stringify({ id, amount: id * 9.9 }));
    await peer.producer.send({ topic: 'orders', messages: values.map((value) => ({ value })) });
    const pipes = `${server.ui}/v1/organizations/${organizationId}/services/${serviceId}/pipes`;
    const basic = Buffer.from(`${keyId}:${keySecret}`).toString('base64');
    const headers = { authorization: `Basic ${basic}` };
    const [pipe] = (await http('GET', pipes, { headers })).json.result;
    expect(pipe.name).toBe('Orders');
    await until('the orders in their table', async () => {
      const { json } = await http('GET', `${pipes}/${pipe.id}/metrics`, { headers });
      return json.result.rows === values.length || undefined;
    });
  });
});
