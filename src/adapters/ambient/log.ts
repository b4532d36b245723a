import { pino, type DestinationStream } from 'pino';
import type { Log } from '../../ports/ambient.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface LogOptions {
  level: LogLevel;
  /** Where lines go; standard output by default. */
  destination?: DestinationStream;
}

/** Names that never show their value, at any depth, whatever their case and separators. */
const secretName =
  /pass(?:word|phrase)|secret|credential|authorization|cookie|api[_-]?key|access[_-]?key|ingestion[_-]?key|private[_-]?key|connection[_-]?string|token$|^sealed$|^headers$|query[_-]?params/i;
const harmlessName = /(?:Id|_id|Name|_name|Suffix|Count|Ms)$/;
const hidden = '[redacted]';
const depthMax = 8;

/** One JSON object a line: level, time, message and the given fields, with secrets taken out. */
export function createLog({ level, destination }: LogOptions): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    messageKey: 'message',
    serializers: { err: asIs },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return wrap(destination ? pino(options, destination) : pino(options));
}

/** Errors are written by `describe`, with their causes; pino's own way would undo that. */
function asIs(value: unknown): unknown {
  return value;
}

function wrap(logger: pino.Logger): Log {
  return {
    debug: (fields, message) =>
      void (logger.isLevelEnabled('debug') && logger.debug(redact(fields), message)),
    info: (fields, message) =>
      void (logger.isLevelEnabled('info') && logger.info(redact(fields), message)),
    warn: (fields, message) => logger.warn(redact(fields), message),
    error: (fields, message) => logger.error(redact(fields), message),
    child: (fields) => wrap(logger.child(redact(fields) as Record<string, unknown>)),
  };
}

function redact(fields: object): object {
  return clean(fields, 0) as object;
}

function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') {
    return value.toString();
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (depth >= depthMax) {
    return '[too deep]';
  }
  if (value instanceof Date) {
    return value;
  }
  if (value instanceof Error) {
    return describe(value, depth);
  }
  if (Array.isArray(value)) {
    return value.map((item) => clean(item, depth + 1));
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      secret(name, inner) ? hidden : clean(inner, depth + 1),
    ]),
  );
}

/**
 * A nested object under a secret-looking name is hidden whole; a number or a flag gives nothing
 * away.
 */
function secret(name: string, value: unknown): boolean {
  if (
    value === undefined ||
    value === null ||
    typeof value === 'boolean' ||
    typeof value === 'number'
  ) {
    return false;
  }
  return secretName.test(name) && !harmlessName.test(name);
}

function describe(error: Error, depth: number): object {
  const { name, message, stack, cause } = error;
  const code = (error as { code?: unknown }).code;
  return {
    name,
    message,
    ...(typeof code === 'string' && { code }),
    stack,
    ...(cause !== undefined && { cause: clean(cause, depth + 1) }),
  };
}
