/** Which shards of the telemetry's cluster did not respond, as a sentence. */
export const missingShardsText = (shards: readonly number[]): string =>
  shards.length === 1
    ? `Shard ${shards[0]} of the ClickHouse cluster does not respond.`
    : `Shards ${shards.join(', ')} of the ClickHouse cluster do not respond.`;

/** The same, and that the rows are missing; the sentence goes on with where. */
export const missingRowsText = (shards: readonly number[]): string =>
  `${missingShardsText(shards)} ${shards.length === 1 ? 'Its' : 'Their'} rows are missing`;
