import { adminUser, passwordOf } from '../rights/engine-users.ts';
import type { EngineAddress } from './engine-address.ts';

/** Asks the engine before its clients exist. @throws Error when it does not answer with success. */
export async function askAdmin({ url, secret }: EngineAddress, query: string): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    body: query,
    headers: {
      'x-clickhouse-user': adminUser,
      'x-clickhouse-key': passwordOf(secret, adminUser),
    },
    signal: AbortSignal.timeout(5_000),
  });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(text);
  }
  return text;
}
