import type { Log } from '../../../ports/ambient.ts';

/** `2026.11.22 04:03:38.290285 [ 15175 ] {query id} <Warning> Logger: message` */
const linePattern = /^\d{4}\.\d\d\.\d\d [\d:.]+ \[ \d+ \] \{[^}]*\} <(\w+)> ([^:]+): (.*)$/;

/** Failed queries: their callers get the error. */
const ofQueries = new Set(['executeQuery', 'DynamicQueryHandler', 'HTTPHandler', 'TCPHandler']);

/** Levels of the engine that a person has to see. */
const serious = new Set(['Fatal', 'Critical', 'Error']);

/** Takes a line of the engine's log over into ours. Stack traces and errors of queries stay out. */
export function logEngineLine(log: Log, line: string): void {
  const [, level = '', logger = '', message = ''] = linePattern.exec(line) ?? [];
  if (level === '' || ofQueries.has(logger)) {
    return;
  }
  const fields = { logger, detail: message };
  if (serious.has(level)) {
    log.error(fields, 'telemetry engine reported an error');
  } else {
    // The engine warns of its own scheduling many times a second.
    log.debug(fields, 'telemetry engine reported a warning');
  }
}
