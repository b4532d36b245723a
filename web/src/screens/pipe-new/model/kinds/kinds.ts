import type { PipeKind } from '../../../../pipes/kinds.ts';
import type { SourceField } from '../fields.ts';
import { cloudstreamFields } from './cloudstream.ts';
import { kafkaFields } from './kafka.ts';
import { objectStorageFields } from './object-storage.ts';
import { postgresFields } from './postgres.ts';

interface KindTexts {
  fields: readonly SourceField[];
  /** What can be read. */
  about: string;
  /** One item of the source, and several. */
  item: string;
  items: string;
  /** What to do with the list of items. */
  choose: string;
}

export const kinds: Record<PipeKind, KindTexts> = {
  objectStorage: {
    fields: objectStorageFields,
    about: 'Amazon S3, Google Cloud Storage, Azure Blob Storage and S3-compatible stores.',
    item: 'Object',
    items: 'Objects',
    choose:
      'These objects match the pattern. The pipe loads all of them. Choose one whose records show here.',
  },
  kafka: {
    fields: kafkaFields,
    about: 'Apache Kafka, Redpanda, Confluent, Amazon MSK, Event Hubs and compatible brokers.',
    item: 'Topic',
    items: 'Topics',
    choose: 'Choose a topic. Several topics with the same columns: separate names with commas.',
  },
  cloudstream: {
    fields: cloudstreamFields,
    about: 'Amazon Kinesis Data Streams and Kinesis-compatible streams.',
    item: 'Stream',
    items: 'Streams',
    choose: 'Choose the stream that the pipe reads.',
  },
  postgres: {
    fields: postgresFields,
    about: 'Tables of a PostgreSQL database, with their changes.',
    item: 'Table',
    items: 'Tables',
    choose: 'Choose the tables that the pipe replicates.',
  },
};

/** In the order of the page. */
export const kindOrder: readonly PipeKind[] = ['objectStorage', 'kafka', 'postgres', 'cloudstream'];
