import type { z } from 'zod';
import type { PipeState } from '../../../contract/pipe/pipe.ts';
import type { PipeSettings } from '../../../contract/pipe/settings.ts';
import type { Mistake, SourceContract } from '../../../contract/pipe/source-contract.ts';
import type { ReaderLimits } from '../read/reader-limits.ts';
import type { VirtualFieldWriter } from './virtual-fields.ts';

/** An address that the server will connect to. The egress guard judges it before it is stored. */
export type SourceAddress =
  /** An http or https URL; any other scheme is not judged here. Plain http needs permission. */
  | { path: string[]; url: string }
  /** A host name or IP address without a port; IPv6 in brackets. */
  | { path: string[]; host: string };

/** A PEM text that must be readable before it is stored. */
export type CertificateField =
  | { path: string[]; certificate: string | undefined }
  | { path: string[]; privateKey: string | undefined; certificate: string | undefined };

/** States in which a pipe of the kind may be while its connector has answered, and after a stop. */
export interface KindStates {
  /** The state after Provisioning, when the source has answered. */
  opened: Extract<PipeState, 'Setup' | 'Running'>;
  /** The state after a stop. A pipe that rests in Paused passes through Pausing, else Stopping. */
  resting: Extract<PipeState, 'Stopped' | 'Paused'>;
}

/**
 * What the `remaining` of a batch counts: records, or bytes of log that the source keeps for the
 * pipe.
 */
export type LagMeasure = 'records' | 'retained bytes';

type SettingsFrom<C extends SourceContract> = z.output<C['input']>;
type ChangeFrom<C extends SourceContract> = z.output<C['update']>;

/**
 * Everything that the server needs to know about one kind of source, its connector apart. Every
 * member is required: a kind that forgets one does not compile. No other code names a kind.
 */
export interface SourceKind<C extends SourceContract = SourceContract> {
  /** What clients send and see. Parts that `contract.record` does not have are sealed. */
  contract: C;
  /**
   * Names in the sealed text, by dotted path, where they differ from the path. Stored pipes depend
   * on them.
   */
  sealedNames: Readonly<Record<string, string>>;
  /** Fills in fields that were not sent, so that the stored record shows what is in force. */
  defaults(source: SettingsFrom<C>, pipeId: string): SettingsFrom<C>;
  /** Every address that the connector will use and that the settings name. */
  addresses(source: SettingsFrom<C>): SourceAddress[];
  certificates(source: SettingsFrom<C>): CertificateField[];
  /** The servers that receive the credentials. Stored credentials go to no others. */
  servers(source: SettingsFrom<C>): string[];
  /** Why these fields of a record cannot be read together; undefined where they can. */
  fieldConflict(source: SettingsFrom<C>, fields: readonly string[]): string | undefined;
  /** Applies a PATCH to the stored source. Mistakes are relative to the source. */
  merge(
    stored: SettingsFrom<C>,
    change: ChangeFrom<C>,
  ): { source: SettingsFrom<C>; mistakes: Mistake[] };
  /** Limits of a reader that the source or the settings of the pipe override. */
  limits(source: SettingsFrom<C>, settings: PipeSettings): Partial<ReaderLimits>;
  /** Whether every node of the engine's cluster should read the source. */
  readsWithCluster(settings: PipeSettings): boolean;
  /** Values that the kind assumes for fields that the source leaves out. */
  assumed(source: SettingsFrom<C>): Readonly<Record<string, unknown>>;
  /** Objects that a pipe creates at its source, for messages. Removed when the pipe is deleted. */
  createsAtSource(source: SettingsFrom<C>, pipeId: string): string[];
  states: KindStates;
  lag: LagMeasure;
  /** Whether a pipe can read its source anew from the beginning (`resync`). */
  canResync: boolean;
  /** Whether the error table has records that can be stored once more (`replay`). */
  canReplay: boolean;
  /** The tables that the source names itself; none if `destination` names the table. */
  targets(source: SettingsFrom<C>): string[];
  /** How each virtual field of the contract is written into a row. */
  virtualFields: Readonly<Record<C['virtualFields'][number], VirtualFieldWriter>>;
}

/** The kinds of sources that a process knows, by name. */
export type SourceKinds = Readonly<Record<string, SourceKind>>;
