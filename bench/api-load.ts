import { execFile, type ChildProcess } from 'node:child_process';
import { promisify } from 'node:util';
import { measureCpu } from './cpu-time.ts';

export interface Request {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** What a child that called `reportCpu` has used so far, in microseconds. */
export function cpuUs(child: ChildProcess): Promise<number> {
  child.send('cpu');
  return new Promise((resolve) => {
    child.once('message', (used) => resolve(used as number));
  });
}

/** Answers each message of the parent with the CPU time of this process. */
export function reportCpu(): void {
  const cpu = measureCpu();
  process.on('message', () => {
    process.send!(cpu().total);
  });
}

/** Requests a second, and how many; fails on any answer but 200. */
export async function load(
  url: string,
  { method, path, headers, body }: Request,
  seconds: number,
): Promise<{ rate: number; count: number }> {
  const options = Object.entries({
    ...headers,
    ...(body && { 'content-type': 'application/json' }),
  }).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      'node_modules/autocannon/autocannon.js',
      '-j',
      '-n',
      '-c',
      '32',
      '-d',
      String(seconds),
      '-m',
      method,
      ...options,
      ...(body ? ['-b', body] : []),
      url + path,
    ],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  const {
    requests: answered,
    non2xx,
    errors,
  } = JSON.parse(stdout) as {
    requests: { average: number; total: number };
    non2xx: number;
    errors: number;
  };
  if (non2xx > 0 || errors > 0) {
    throw new Error(`${method} ${url}${path}: ${non2xx} answers were no success, ${errors} failed`);
  }
  return { rate: answered.average, count: answered.total };
}
