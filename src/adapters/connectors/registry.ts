import type { Connectors } from '../../ports/connector.ts';
import { cloudstreamConnector } from './cloudstream/cloudstream-connector.ts';
import type { CloudstreamEndpoints } from './cloudstream/stream-calls.ts';
import { kafkaConnector, type KafkaOptions } from './kafka/kafka-connector.ts';
import { objectStorageConnector } from './object-storage/object-storage-connector.ts';
import type { S3SourceOptions } from './object-storage/s3-source.ts';
import { postgresConnector, type PostgresOptions } from './postgres/postgres-connector.ts';

/** Where services are, instead of their region's own, and what an operator has set for sources of one kind. */
export interface ConnectorOptions extends CloudstreamEndpoints, KafkaOptions, PostgresOptions, Pick<S3SourceOptions, 'regions'> {}

/** One line for each source kind. */
export function createConnectors(options: ConnectorOptions = {}): Connectors {
  return {
    kafka: (context) => kafkaConnector(context, options),
    objectStorage: objectStorageConnector(options),
    cloudstream: cloudstreamConnector(options),
    postgres: (context) => postgresConnector(context, options),
  };
}
