import { fork } from 'node:child_process';

/**
 * A script of this folder in a process of its own; it tells the port that it listens on at
 * 127.0.0.1.
 */
export async function ownProcess(
  script: 'exporter-process.ts' | 'receiver-process.ts',
  args: string[] = [],
): Promise<{ address: string; url: string; stop(): void }> {
  const child = fork(new URL(script, import.meta.url), args, { execArgv: ['--import', 'tsx'] });
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message) => resolve(Number(message)));
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)));
  });
  const address = `127.0.0.1:${port}`;
  return { address, url: `http://${address}`, stop: () => child.disconnect() };
}

export type Arrival = [atMs: number, name: string];

export const arrivals = async (url: string): Promise<Arrival[]> =>
  (await (await fetch(`${url}/arrivals`)).json()) as Arrival[];
export const forgetArrivals = async (url: string): Promise<void> =>
  void (await fetch(`${url}/arrivals`, { method: 'DELETE' }));
export const arrivalCount = async (url: string): Promise<number> =>
  (await (await fetch(`${url}/count`)).json()) as number;
