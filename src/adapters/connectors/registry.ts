import type { SourceKindName } from '../../contract/pipe/sources.ts';
import type { Connectors } from '../../ports/connector.ts';
import type { CloudstreamEndpoints } from './cloudstream/stream-calls.ts';
import type { KafkaOptions } from './kafka/kafka-connector.ts';
import type { S3SourceOptions } from './object-storage/stores/s3-source.ts';
import type { PostgresOptions } from './postgres/postgres-connector.ts';
import { whenNeeded } from './when-needed.ts';

/**
 * Where services are, instead of their region's own, and what an operator has set for sources of
 * one kind.
 */
export interface ConnectorOptions
  extends CloudstreamEndpoints, KafkaOptions, PostgresOptions, Pick<S3SourceOptions, 'regions'> {}

/** A connector for every kind of source in the contract; a kind without one does not compile. */
export function createConnectors(options: ConnectorOptions = {}): Connectors<SourceKindName> {
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
