import type { EngineAddress } from './engine-address.ts';

/** Asks the engine before its clients exist. @throws Error when it does not answer with success. */
export async function askAdmin({ url, admin }: EngineAddress, query: string): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    body: query,
    headers: { 'x-clickhouse-user': 'admin', 'x-clickhouse-key': admin },
    signal: AbortSignal.timeout(5_000),
  });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(text);
  }
  return text;
}
