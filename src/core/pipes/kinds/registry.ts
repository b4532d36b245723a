import type { SourceKindName } from '../../../contract/pipe/sources.ts';
import { cloudstreamKind } from './cloudstream.ts';
import { kafkaKind } from './kafka.ts';
import { objectStorageKind } from './object-storage.ts';
import { postgresKind } from './postgres.ts';
import type { SourceKind } from './source-kind.ts';

/** The rules of every kind of source in the contract; a kind without rules does not compile. */
export const sourceKinds: Readonly<Record<SourceKindName, SourceKind>> = {
  kafka: kafkaKind,
  objectStorage: objectStorageKind,
  cloudstream: cloudstreamKind,
  postgres: postgresKind,
};
