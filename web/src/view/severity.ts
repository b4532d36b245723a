/** Severities in the order of stacked bars: the worst at the bottom, where it is seen. */
export const severities = ['fatal', 'error', 'warn', 'info', 'debug', 'other'] as const;
export type Severity = (typeof severities)[number];

/** Class of a severity text of logs or a status code of spans. */
export function severityOf(text: unknown): Severity {
  const word = String(text).toLowerCase();
  const match = /fatal|critical|emerg|alert|panic|err|warn|info|notice|debug|trace|verbose|ok/.exec(
    word,
  )?.[0];
  return (match !== undefined && classes[match]) || 'other';
}

const classes: Record<string, Severity> = {
  fatal: 'fatal',
  critical: 'fatal',
  emerg: 'fatal',
  alert: 'fatal',
  panic: 'fatal',
  err: 'error',
  warn: 'warn',
  info: 'info',
  notice: 'info',
  ok: 'info',
  debug: 'debug',
  trace: 'debug',
  verbose: 'debug',
};
