import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { childScript } from '../kit/child-script.ts';
import { startApi, type ApiKitOptions } from '../kit/api.ts';

export interface ServerProcess {
  port: number;
  url: string;
  accessKey: string;
  process: ChildProcess;
  /** Resident memory of the server, bytes, after a collection. */
  memoryBytes(): Promise<number>;
  exit: Promise<{ code: number | null; afterMs: number }>;
}

/** The API in a process of its own: what it survives, and what memory it takes, is its own. */
export async function startServerProcess(
  limits: ApiKitOptions['limits'] = {},
): Promise<ServerProcess> {
  const child = fork(childScript('server-process'), [JSON.stringify(limits)], {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const next = <T>(): Promise<T> =>
    new Promise((resolve, reject) => {
      child.once('message', (message) => resolve(message as T));
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    });
  const { port, accessKey } = await next<{ port: number; accessKey: string }>();
  let signalledMs = 0;
  const kill = child.kill.bind(child);
  child.kill = (signal) => {
    signalledMs = performance.now();
    return kill(signal);
  };
  return {
    port,
    accessKey,
    url: `http://127.0.0.1:${port}`,
    process: child,
    memoryBytes: () => {
      child.send('memory');
      return next<number>();
    },
    exit: new Promise((resolve) => {
      child.once('exit', (code) => resolve({ code, afterMs: performance.now() - signalledMs }));
    }),
  };
}

async function serve(): Promise<void> {
  const api = await startApi({
    limits: JSON.parse(process.argv[2]!) as NonNullable<ApiKitOptions['limits']>,
  });
  process.on('message', () => {
    globalThis.gc?.();
    process.send!(process.memoryUsage().rss);
  });
  process.once(
    'SIGTERM',
    () =>
      void api.server
        .stop()
        .then(() => api.stop())
        .then(() => process.exit(0)),
  );
  process.send!({ port: api.port, accessKey: api.accessKey });
}

if (process.send && process.argv[1] === fileURLToPath(import.meta.url)) {
  await serve();
}
