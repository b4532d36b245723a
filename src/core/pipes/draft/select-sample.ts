import { SourceFailed } from '../../../ports/connector.ts';
import type { SelectSample } from '../../../ports/explorer.ts';
import { TelemetryError, type QueryResult, type Value } from '../../../ports/telemetry.ts';
import type { SourceRecord } from '../../../ports/batch.ts';
import { sql } from '../../../sql/sql.ts';
import type { PipeVerbDependencies } from '../dependencies.ts';
import { withoutSecrets } from '../load/select-statement.ts';
import { shardsOf } from '../tables/shards.ts';
import { engineFields } from './columns/engine-fields.ts';
import { jsonFields } from './columns/json-fields.ts';
import type { ProposedField } from './columns/proposed-columns.ts';

const rowsMax = 100;
const timeoutMs = 7000;
const maxMemoryBytes = 2 ** 30;

export interface ReadSample {
  records: SourceRecord[];
  fields: ProposedField[];
}

/** Has the engine read the first rows of an item. @throws SourceFailed if it cannot */
export async function readSelect(
  { telemetry }: Pick<PipeVerbDependencies, 'telemetry'>,
  sample: SelectSample,
  tenant: string,
  signal: AbortSignal,
): Promise<ReadSample> {
  const [shard] = shardsOf(telemetry).present();
  if (!shard) {
    throw new TelemetryError('unavailable', 'no shard of the engine responds');
  }
  const { from, settings, item } = sample;
  try {
    const result = await shard.query(
      sql`SELECT * FROM ${from} LIMIT ${rowsMax} SETTINGS ${settings}`,
      { purpose: 'pipe', tenant, timeoutMs, maxMemoryBytes, signal },
    );
    return sample.shape === 'json' ? jsonSample(sample, result) : columnSample(sample, result);
  } catch (error) {
    const shown = withoutSecrets(error, sample.secrets);
    if (!(shown instanceof TelemetryError) || shown.kind === 'unavailable') {
      throw shown;
    }
    throw new SourceFailed(`${item.id} cannot be read: ${sample.reasonOf(shown)}`, {
      problem: { reason: shown.kind === 'timeout' ? 'timed_out' : 'unreadable' },
    });
  }
}

function jsonSample({ item }: SelectSample, { rows }: QueryResult): ReadSample {
  const texts = rows.map(([text]) => String(text ?? ''));
  return {
    records: texts.map((text, index) => recordOf(item.id, index, text)),
    fields: jsonFields(texts, false),
  };
}

function columnSample(sample: SelectSample, { columns, rows }: QueryResult): ReadSample {
  const textOf = (row: readonly Value[]): string =>
    JSON.stringify(Object.fromEntries(columns.map(({ name }, index) => [name, row[index]])));
  return {
    records: rows.map((row, index) => recordOf(sample.item.id, index, textOf(row))),
    fields: engineFields(columns, rows, {
      isText: sample.shape === 'text',
      hasPaths: sample.hasPaths,
    }),
  };
}

const recordOf = (item: string, index: number, text: string): SourceRecord => ({
  position: `${item} ${index + 1}`,
  data: Buffer.from(text),
});
