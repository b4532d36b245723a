import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../test/kit/eventually.ts';
import { freePort } from '../../test/kit/s3.ts';

export interface VictoriaLogs {
  pid: number;
  url: string;
  folder: string;
  stop(): Promise<void>;
}

/** VictoriaLogs on 127.0.0.1, as a user would start it, over a folder of its own. */
export async function startVictoriaLogs(program: string): Promise<VictoriaLogs> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-victoria-logs-'));
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(
    program,
    [`-storageDataPath=${folder}`, `-httpListenAddr=${address}`, '-retentionPeriod=30d'],
    { stdio: 'ignore' },
  );
  const url = `http://${address}`;
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  process.once('exit', () => child.kill('SIGKILL'));
  await until('VictoriaLogs to answer', async () => (await fetch(`${url}/health`)).ok, 30_000);
  return {
    pid: child.pid!,
    url,
    folder,
    async stop() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
