import type { Connectors } from '../../ports/connector.ts';
import type { CloudstreamEndpoints } from './cloudstream/stream-calls.ts';
import type { KafkaOptions } from './kafka/kafka-connector.ts';
import type { S3SourceOptions } from './object-storage/s3-source.ts';
import type { PostgresOptions } from './postgres/postgres-connector.ts';
import { whenNeeded } from './when-needed.ts';

/** Where services are, instead of their region's own, and what an operator has set for sources of one kind. */
export interface ConnectorOptions
  extends CloudstreamEndpoints, KafkaOptions, PostgresOptions, Pick<S3SourceOptions, 'regions'> {}

/** One entry for each source kind. */
export function createConnectors(options: ConnectorOptions = {}): Connectors {
  return {
    kafka: whenNeeded(async () => {
      const { kafkaConnector } = await import('./kafka/kafka-connector.ts');
      return (context) => kafkaConnector(context, options);
    }),
    objectStorage: whenNeeded(async () =>
      (await import('./object-storage/object-storage-connector.ts')).objectStorageConnector(
        options,
      ),
    ),
    cloudstream: whenNeeded(async () =>
      (await import('./cloudstream/cloudstream-connector.ts')).cloudstreamConnector(options),
    ),
    postgres: whenNeeded(async () => {
      const { postgresConnector } = await import('./postgres/postgres-connector.ts');
      return (context) => postgresConnector(context, options);
    }),
  };
}
