import type { Client } from 'pg';

/** Runs one parameterised query and returns its rows as objects. */
export type Query = (
  text: string,
  values: unknown[],
) => Promise<readonly Record<string, unknown>[]>;

export function queryOf(client: Client): Query {
  return async (text, values) => (await client.query<Record<string, unknown>>(text, values)).rows;
}
