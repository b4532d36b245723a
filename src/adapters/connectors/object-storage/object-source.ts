import type { ListedObject } from '../../../ports/object-ledger.ts';
import type { EngineCredentials } from './engine-source.ts';

/** What is asked of an object service. Throws ConnectionLost and SourceFailed; their messages carry no secret. */
export interface ObjectSource {
  /** Pages of what begins with the prefix, as the service orders them. `after`: names up to that one may be left out. */
  list(prefix: string, signal: AbortSignal, after?: string): AsyncIterable<ListedObject[]>;
  /** One object as it is now; undefined: it is gone. */
  look(name: string, signal: AbortSignal): Promise<ListedObject | undefined>;
  /** Its bytes, as they are stored. */
  read(name: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Connects and looks whether it may be listed. */
  check(prefix: string, signal: AbortSignal): Promise<void>;
  /** Who the engine reads as, fresh; undefined: nobody, or it stands in the connection string. */
  engineCredentials(): Promise<EngineCredentials | undefined>;
  /** Texts that must never be seen. */
  readonly secrets: readonly string[];
  close(): void;
}
