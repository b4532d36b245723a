import type { PipeDiscovery } from '../../../contract/pipe/pipe-draft.ts';
import type { BeginStep, Explorer, ItemSample } from '../../../ports/explorer.ts';
import type { PipeVerbDependencies } from '../dependencies.ts';
import type { ConfiguredSource } from '../kinds/configured-source.ts';
import { jsonFields } from './columns/json-fields.ts';
import { proposedColumns, tableName, type ProposedField } from './columns/proposed-columns.ts';
import { sampleRecords } from './sample-records.ts';
import { readSelect, type ReadSample } from './select-sample.ts';

/** What a look at one item found. Undefined: the source has no such item. */
export type ItemDiscovery = Pick<
  PipeDiscovery,
  'kind' | 'items' | 'hasMore' | 'records' | 'proposal'
>;

export interface ItemLook {
  source: ConfiguredSource;
  /** Database of the workspace, for reads by the engine. */
  tenant: string;
  item: string;
}

/** Reads records of an item and proposes what a pipe needs to load it. */
export async function discoverItem(
  deps: PipeVerbDependencies,
  { source, tenant, item }: ItemLook,
  [explorer, begin, signal]: [Explorer, BeginStep, AbortSignal],
): Promise<ItemDiscovery | undefined> {
  const sample = await explorer.sample(item, begin, signal);
  if (!sample) {
    return undefined;
  }
  const { records, fields } = await readSample(deps, sample, tenant, signal);
  const proposal = proposalOf(source, sample, fields);
  return {
    kind: sample.itemKind,
    items: [sample.item],
    hasMore: false,
    records: sampleRecords(records),
    ...(proposal && { proposal }),
  };
}

async function readSample(
  deps: PipeVerbDependencies,
  sample: ItemSample,
  tenant: string,
  signal: AbortSignal,
): Promise<Pick<ReadSample, 'fields'> & Pick<Extract<ItemSample, { kind: 'table' }>, 'records'>> {
  if (sample.kind === 'select') {
    return readSelect(deps, sample, tenant, signal);
  }
  const { kind, records } = sample;
  const texts = records.flatMap(({ data }) => (data === null ? [] : [String(data)]));
  return { records, fields: kind === 'table' ? [] : jsonFields(texts, true) };
}

function proposalOf(
  { kind, rules }: ConfiguredSource,
  sample: ItemSample,
  fields: readonly ProposedField[],
): PipeDiscovery['proposal'] {
  const source = { [kind]: sample.source };
  if (sample.kind === 'table') {
    return { source, fieldMappings: [] };
  }
  const { columns, fieldMappings } = proposedColumns(fields, rules.contract.virtualFields);
  return columns.length === 0
    ? undefined
    : { source, destination: { table: tableName(sample.name), columns }, fieldMappings };
}
