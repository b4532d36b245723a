import { describe, expect, test } from 'vitest';
import { createLog, type LogLevel } from './log.ts';

function logged(level: LogLevel = 'debug') {
  const lines: string[] = [];
  return {
    log: createLog({ level, destination: { write: (line: string) => void lines.push(line) } }),
    lines,
  };
}

const canary = 'canary-5f1d';

describe('log', () => {
  test('a line is one JSON object with level, time and message', () => {
    const { log, lines } = logged();
    log.warn({ pipeId: 'p', rows: 5 }, 'slow');
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown,
      message: 'slow',
      pipeId: 'p',
      rows: 5,
    });
    expect(lines[0]).toMatch(/^[^\n]*\n$/);
  });

  test('lines below the level are not written', () => {
    const { log, lines } = logged('warn');
    log.debug({}, 'no');
    log.info({}, 'no');
    log.error({}, 'yes');
    expect(lines).toHaveLength(1);
  });

  test.each([
    'password',
    'PASSWORD',
    'passwordHash',
    'secret',
    'keySecret',
    'secretKey',
    'credentials',
    'authorization',
    'Authorization',
    'cookie',
    'set-cookie',
    'apiKey',
    'api_key',
    'accessKey',
    'access-key',
    'ingestionKey',
    'privateKey',
    'connectionString',
    'connection_string',
    'token',
    'access_token',
    'accessToken',
    'sealed',
    'headers',
    'queryParams',
  ])('the value of a field named %s is never written, however deep', (name) => {
    const { log, lines } = logged();
    log.info({ [name]: canary }, 'top');
    log.info({ source: { kafka: [{ [name]: { inner: canary } }] } }, 'deep');
    log.child({ [name]: canary }).info({}, 'child');
    log.error(
      { err: Object.assign(new Error('x', { cause: { [name]: canary } }), { [name]: canary }) },
      'error',
    );
    expect(lines).toHaveLength(4);
    expect(lines.join('')).not.toContain(canary);
  });

  test.each([
    'keyId',
    'pipeId',
    'accessKeyId',
    'keySuffix',
    'secretName',
    'tokens',
    'tokenCount',
    'passed',
  ])('%s is written', (name) => {
    const { log, lines } = logged();
    log.info({ [name]: 'shown' }, 'x');
    expect(lines[0]).toContain('shown');
  });

  test('an error is written with its causes, a deep, circular or odd value without a failure', () => {
    const { log, lines } = logged();
    const circular: Record<string, unknown> = { big: 10n ** 20n };
    circular['self'] = circular;
    log.error({ err: new Error('outer', { cause: new Error('inner') }), circular }, 'failed');
    const line = JSON.parse(lines[0] ?? '') as {
      err: { message: string; stack: string; cause: { message: string } };
      circular: { big: string };
    };
    expect([line.err.message, line.err.cause.message, line.circular.big]).toEqual([
      'outer',
      'inner',
      '100000000000000000000',
    ]);
    expect(line.err.stack).toContain('log.test.ts');
  });
});
