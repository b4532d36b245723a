import type { Outcome } from '../../core/verb/outcome.ts';
import type { JsonSchema } from '../surface.ts';

/** On a result that lacks rows, because shards of the ClickHouse cluster do not respond. */
export const missingShardsHeader = 'X-Sightline-Missing-Shards';

/** The same in the body: a member of the envelope with a comma before it. Empty if it is whole. */
export function partialMember({ statistics }: Pick<Outcome<unknown>, 'statistics'>): string {
  const missingShards = statistics?.missingShards ?? [];
  return missingShards.length === 0 ? '' : `,"partial":${JSON.stringify({ missingShards })}`;
}

export const partialSchema: JsonSchema = { $ref: '#/components/schemas/PartialResult' };

/** Components of a surface with results of queries. */
export const partialComponents: Record<string, JsonSchema> = {
  PartialResult: {
    type: 'object',
    description:
      'Present if shards of the ClickHouse cluster did not respond: the result lacks their rows.',
    properties: {
      missingShards: {
        type: 'array',
        items: { type: 'integer', minimum: 1 },
        description: 'Numbers of these shards, from 1, in ascending order.',
      },
    },
    required: ['missingShards'],
  },
};
