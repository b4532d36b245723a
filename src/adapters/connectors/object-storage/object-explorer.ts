import { SourceFailed, type ConnectorContext } from '../../../ports/connector.ts';
import type {
  BeginStep,
  Explorer,
  ItemSample,
  SelectSample,
  SourceItems,
} from '../../../ports/explorer.ts';
import type { ObjectFormat } from '../../../contract/pipe/object-storage.ts';
import type { PipeSourceItem } from '../../../contract/pipe/pipe-draft.ts';
import type { ListedObject } from '../../../ports/store/object-ledger.ts';
import { join, sql } from '../../../sql/sql.ts';
import { blameObject } from './errors/object-errors.ts';
import { formatOf, hasTuples } from './formats/object-format.ts';
import type { Glob } from './listing/glob.ts';
import { engineEndpoint } from './stores/engine-endpoint.ts';
import { engineSettings, peekSource } from './stores/engine-source.ts';
import type { ObjectAddress } from './stores/object-address.ts';
import type { ObjectSource } from './stores/object-source.ts';

const itemsMax = 100;
const pagesMax = 10;

export interface ObjectExplorerOptions {
  context: ConnectorContext<'objectStorage'>;
  address: ObjectAddress;
  source: ObjectSource;
  glob: Glob;
}

/** Looks at the objects that match the pattern. */
export class ObjectExplorer implements Explorer {
  readonly #options: ObjectExplorerOptions;

  constructor(options: ObjectExplorerOptions) {
    this.#options = options;
  }

  async check(begin: BeginStep, signal: AbortSignal): Promise<void> {
    const { source, context } = this.#options;
    await this.#connect(begin, signal);
    begin('find', this.#pathField);
    const { objects } = await this.#matching(1, signal);
    const [first] = objects;
    if (!first) {
      throw new SourceFailed(
        `no object with content matches ${this.#options.address.pattern}. Change the pattern, or add an object.`,
        { problem: { reason: 'nothing_found' } },
      );
    }
    begin('read', this.#pathField);
    for await (const _ of source.read(first.name, signal)) {
      break;
    }
    if (formatOf(first, context.source.format) === undefined) {
      throw unknownFormat(first);
    }
  }

  async list(begin: BeginStep, signal: AbortSignal): Promise<SourceItems> {
    await this.#connect(begin, signal);
    begin('find', this.#pathField);
    const { objects, hasMore } = await this.#matching(itemsMax, signal);
    return { kind: 'objects', items: objects.map(itemOf), hasMore };
  }

  async sample(
    name: string,
    begin: BeginStep,
    signal: AbortSignal,
  ): Promise<ItemSample | undefined> {
    const { context, address, source, glob } = this.#options;
    await this.#connect(begin, signal);
    const object = glob.matches(name) ? await source.look(name, signal) : undefined;
    if (!object) {
      return undefined;
    }
    begin('read', this.#pathField);
    const format = formatOf(object, context.source.format);
    if (format === undefined) {
      throw unknownFormat(object);
    }
    const read = {
      address,
      endpoint: await engineEndpoint(context, address),
      credentials: await source.engineCredentials(),
      source: context.source,
      format,
      cluster: undefined,
    };
    return {
      kind: 'select',
      item: itemOf(object),
      itemKind: 'objects',
      source: {},
      name: name.slice(name.lastIndexOf('/') + 1).replace(/\..*$/s, ''),
      from: peekSource(read, name),
      settings: join([engineSettings(read), inference], ', '),
      shape: shapeOf(format),
      hasPaths: hasTuples(format) || format === 'Avro',
      secrets: source.secrets,
      reasonOf: (error) => blameObject(error, 0, true).reason ?? 'it does not exist any more',
    };
  }

  async #connect(begin: BeginStep, signal: AbortSignal): Promise<void> {
    begin('connect', this.#addressField);
    await this.#options.source.check(this.#options.glob.prefix, signal);
  }

  /** The first objects with content that match the pattern. */
  async #matching(
    enough: number,
    signal: AbortSignal,
  ): Promise<{ objects: ListedObject[]; hasMore: boolean }> {
    const { source, glob } = this.#options;
    const objects: ListedObject[] = [];
    let pages = 0;
    for await (const page of source.list(glob.prefix, signal)) {
      objects.push(
        ...page.filter(({ name, bytes }) => bytes > 0 && !name.endsWith('/') && glob.matches(name)),
      );
      if (objects.length > enough || ++pages === pagesMax) {
        break;
      }
    }
    return {
      objects: objects.slice(0, enough),
      hasMore: objects.length > enough || pages === pagesMax,
    };
  }

  get #addressField(): string {
    return this.#options.context.source.url === undefined ? 'connectionString' : 'url';
  }

  get #pathField(): string {
    return this.#options.context.source.url === undefined ? 'path' : 'url';
  }
}

/** Dates stay text: the server proposes their types by its own rules. */
const inference = sql`schema_inference_make_columns_nullable = 1, input_format_try_infer_dates = 0,
  input_format_try_infer_datetimes = 0, input_format_max_rows_to_read_for_schema_inference = 1000`;

const itemOf = ({ name, bytes, modifiedAtMs }: ListedObject): PipeSourceItem => ({
  id: name,
  bytes,
  ...(modifiedAtMs > 0 && { modifiedAt: new Date(modifiedAtMs).toISOString() }),
});

function shapeOf(format: ObjectFormat): SelectSample['shape'] {
  if (format === 'JSONEachRow') {
    return 'json';
  }
  return format === 'Parquet' || format === 'Avro' ? 'typed' : 'text';
}

const unknownFormat = ({ name }: ListedObject): SourceFailed =>
  new SourceFailed(
    `the name of ${name} does not tell its format. Set format, or give the object an ending such ` +
      'as .json, .csv, .tsv, .parquet or .avro.',
    { problem: { reason: 'unsupported', field: 'format' } },
  );
