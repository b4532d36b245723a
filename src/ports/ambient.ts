/** Time from outside. Milliseconds since the epoch, UTC. */
export interface Clock {
  now(): number;
}

/** Identifiers from outside. */
export interface Ids {
  /** 24 lower-case hex digits, time-ordered. */
  object(): string;
  uuid(): string;
}

/** The data of a line. An error goes into the field `err`. */
type LogFields = Readonly<Record<string, unknown>> & { error?: never };

/** A structured log. Fields named in `secretFields` of the adapter are never written. */
export interface Log {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  child(fields: object): Log;
}

/**
 * Seals secrets at rest (AES-256-GCM). `context` is bound to the text: a sealed value moved to
 * another row does not open.
 */
export interface Vault {
  seal(plain: string, context: string): string;
  /** @throws Error when the text was not sealed under this key and context. */
  open(sealed: string, context: string): string;
  /** A secret made of the current key, the same in every process that has the key. */
  derive(context: string): string;
}
