import type { Pipe } from '../api/queries/pipes.ts';
import { plural } from '../view/number-format.ts';

export const pipeKinds = ['kafka', 'objectStorage', 'cloudstream', 'postgres'] as const;
export type PipeKind = (typeof pipeKinds)[number];

export const kindWords: Record<PipeKind, string> = {
  kafka: 'Kafka',
  objectStorage: 'Object storage',
  cloudstream: 'Cloudstream',
  postgres: 'PostgreSQL',
};

type Sourced = Pick<Pipe, 'source'>;

export const kindOf = ({ source }: Sourced): PipeKind =>
  pipeKinds.find((kind) => source[kind] !== undefined) ?? 'kafka';

/** What the pipe reads, such as `orders at broker-1:9092`. */
export function sourceText({ source }: Sourced): string {
  const { kafka, objectStorage, cloudstream, postgres } = source;
  if (kafka) {
    return `${kafka.topics} at ${kafka.brokers}`;
  }
  if (objectStorage) {
    const { url, containerName, path } = objectStorage;
    return url ?? `${containerName}/${path}`;
  }
  if (cloudstream) {
    return `${cloudstream.streamName} in ${cloudstream.region}`;
  }
  return postgres ? `${postgres.database} at ${postgres.host}:${postgres.port}` : '';
}

/** The table that the pipe fills, or how many. */
export function targetText({ source, destination }: Pick<Pipe, 'source' | 'destination'>): string {
  const { database, table } = destination;
  const mappings = source.postgres?.tableMappings ?? [];
  const [first] = mappings;
  if (mappings.length > 1) {
    return `${plural(mappings.length, 'table')} in ${database}`;
  }
  return `${database}.${table ?? first?.targetTable ?? ''}`;
}
