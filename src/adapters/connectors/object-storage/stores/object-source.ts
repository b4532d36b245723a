import type { ListedObject } from '../../../../ports/store/object-ledger.ts';
import type { EngineCredentials } from './engine-source.ts';

/** An object service. Throws ConnectionLost and SourceFailed; their messages carry no secret. */
export interface ObjectSource {
  /**
   * Pages of the objects with this prefix, in the order of the service. `after`: names up to this
   * one may be left out.
   */
  list(prefix: string, signal: AbortSignal, after?: string): AsyncIterable<ListedObject[]>;
  /** One object as it is now; undefined: it does not exist. */
  look(name: string, signal: AbortSignal): Promise<ListedObject | undefined>;
  /** The bytes of an object, as stored. */
  read(name: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Connects, and checks that objects may be listed. */
  check(prefix: string, signal: AbortSignal): Promise<void>;
  /** Current credentials for the engine. Undefined: none, or they are in the connection string. */
  engineCredentials(): Promise<EngineCredentials | undefined>;
  /** Texts that no message may contain. */
  readonly secrets: readonly string[];
  close(): void;
}
