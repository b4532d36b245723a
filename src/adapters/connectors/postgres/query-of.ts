import type { Client } from 'pg';
import type { Query } from './types/read-columns.ts';

export function queryOf(client: Client): Query {
  return async (text, values) => (await client.query<Record<string, unknown>>(text, values)).rows;
}
