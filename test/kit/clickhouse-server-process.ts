import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Session } from 'chdb';
import { literal } from '../../src/sql/sql.ts';
import { hasSecondStatement } from './statement-scan.ts';

/** Parameters that are the HTTP interface's own; every other one is a setting of the engine. */
const own = new Set([
  'query',
  'database',
  'query_id',
  'session_id',
  'default_format',
  'user',
  'password',
  'role',
  'wait_end_of_query',
  'enable_http_compression',
  'compress',
  'decompress',
  'cancel_http_readonly_queries_on_client_close',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
]);

const [directory = '.', port = '0'] = process.argv.slice(2);
const credentials = `${process.env['TEST_CLICKHOUSE_USER'] ?? 'default'}:${process.env['TEST_CLICKHOUSE_PASSWORD'] ?? ''}`;
const data = join(directory, 'data');
/** Keeps the engine up between requests. */
const keeper = new Session(
  data,
  process.env['TEST_CLICKHOUSE_CONFIGURED'] === 'true'
    ? { connectionArgs: [`--config-file=${join(directory, 'configuration.xml')}`] }
    : {},
);

const server = createServer((request, response) => void serve(request, response));
server.listen(Number(port), '127.0.0.1', () =>
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`),
);
process.stdin.resume().on('end', () => process.exit(0));

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (url.pathname === '/ping') {
    return void response.end('Ok.\n');
  }
  const queryId = url.searchParams.get('query_id') ?? randomUUID();
  response.setHeader('X-ClickHouse-Query-Id', queryId);
  response.setHeader('X-ClickHouse-Server-Display-Name', 'test');
  try {
    if (!authorized(request, url)) {
      throw new Error(
        'Code: 516. DB::Exception: default: Authentication failed: password is incorrect, or there is no user with such name. (AUTHENTICATION_FAILED)',
      );
    }
    await answer(request, response, url, queryId);
  } catch (error) {
    fail(response, error);
  }
}

function authorized(request: IncomingMessage, url: URL): boolean {
  const basic = /^Basic (.*)$/.exec(request.headers.authorization ?? '')?.[1];
  if (basic !== undefined) {
    return Buffer.from(basic, 'base64').toString() === credentials;
  }
  const user = request.headers['x-clickhouse-user'] ?? url.searchParams.get('user') ?? 'default';
  return (
    `${String(user)}:${String(request.headers['x-clickhouse-key'] ?? url.searchParams.get('password') ?? '')}` ===
    credentials
  );
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  queryId: string,
): Promise<void> {
  const body = await readBody(request);
  const parameter = url.searchParams.get('query');
  // With a query parameter the body is the data; without one it is the query.
  const query = parameter ?? body.toString();
  if (query.trim() === '') {
    throw new Error(
      'Code: 62. DB::Exception: Syntax error: failed at position 1 (end of query): . Expected a query. (SYNTAX_ERROR)',
    );
  }
  if (hasSecondStatement(query)) {
    throw new Error(
      'Code: 62. DB::Exception: Syntax error (Multi-statements are not allowed): failed at position 1. (SYNTAX_ERROR)',
    );
  }
  const session = new Session(data);
  const file = parameter !== null && body.length > 0 ? join(directory, randomUUID()) : undefined;
  const stopIfGone = (): void => {
    if (
      !response.writableFinished &&
      url.searchParams.get('cancel_http_readonly_queries_on_client_close') === '1' &&
      /^\s*(SELECT|WITH)\b/i.test(query)
    ) {
      void kill(queryId);
    }
  };
  response.on('close', stopIfGone);
  try {
    await prepare(session, request, url);
    if (file !== undefined) {
      await writeFile(file, body);
    }
    const result = await session.queryAsync(
      `/* qid:${queryId} */ ${killById(file === undefined ? query : fromFile(query, file))}`,
      { format: url.searchParams.get('default_format') ?? 'TabSeparated' },
    );
    response.setHeader(
      'X-ClickHouse-Summary',
      JSON.stringify({
        read_rows: String(result.rowsRead),
        read_bytes: String(result.bytesRead),
        written_rows: '0',
        written_bytes: '0',
        result_rows: String(result.rowsRead),
        elapsed_ns: String(Math.round(result.elapsed * 1e9)),
      }),
    );
    send(request, response, url, Buffer.from(result.bytes()));
  } finally {
    response.off('close', stopIfGone);
    session.close();
    if (file !== undefined) {
      await rm(file, { force: true });
    }
  }
}

async function prepare(session: Session, request: IncomingMessage, url: URL): Promise<void> {
  const database = url.searchParams.get('database') ?? request.headers['x-clickhouse-database'];
  if (typeof database === 'string' && database !== 'default') {
    await session.queryAsync(`USE \`${database.replaceAll('`', '')}\``);
  }
  for (const [name, value] of url.searchParams) {
    if (own.has(name) || name.startsWith('param_') || name === 'readonly') {
      continue;
    }
    if (!/^\w+$/.test(name)) {
      throw new Error(`Code: 115. DB::Exception: Unknown setting '${name}'. (UNKNOWN_SETTING)`);
    }
    await session.queryAsync(`SET ${name} = ${literal(value).text}`);
  }
  const readOnly = url.searchParams.get('readonly') ?? (request.method === 'GET' ? '2' : undefined);
  if (readOnly !== undefined) {
    await session.queryAsync(`SET readonly = ${literal(readOnly).text}`);
  }
}

/** The engine in process does not know query ids: they travel as a comment at the head of the text. */
function killById(query: string): string {
  return query.replace(
    /^(\s*KILL QUERY\b.*?WHERE\s+)query_id\s*=\s*'([\w-]+)'/is,
    (_, head: string, id: string) => `${head}startsWith(query, '/* qid:${id} */')`,
  );
}

async function kill(queryId: string): Promise<void> {
  const session = new Session(data);
  await session
    .queryAsync(`KILL QUERY WHERE startsWith(query, ${literal(`/* qid:${queryId} */`).text}) ASYNC`)
    .catch(() => {});
  session.close();
}

function fromFile(query: string, file: string): string {
  const cast = /^(.*) FROM input\(('(?:[^'\\]|\\.)*')\) FORMAT (\w+)\s*$/is.exec(query);
  if (cast) {
    return `${cast[1]} FROM file(${literal(file).text}, '${cast[3]}', ${cast[2]})`;
  }
  return query.replace(
    /\sFORMAT\s+(\w+)\s*$/i,
    (_, format: string) => ` FROM INFILE ${literal(file).text} FORMAT ${format}`,
  );
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  const body = Buffer.concat(chunks);
  return request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
}

function send(request: IncomingMessage, response: ServerResponse, url: URL, body: Buffer): void {
  const zipped =
    url.searchParams.get('enable_http_compression') === '1' &&
    /\bgzip\b/.test(String(request.headers['accept-encoding']));
  if (zipped) {
    response.setHeader('Content-Encoding', 'gzip');
  }
  response.end(zipped ? gzipSync(body) : body);
}

function fail(response: ServerResponse, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const code = /^Code: (\d+)/.exec(message)?.[1] ?? '1000';
  const statuses: Record<string, number> = {
    47: 404,
    60: 404,
    81: 404,
    62: 400,
    516: 403,
    159: 408,
    202: 503,
  };
  response.statusCode = statuses[code] ?? 500;
  response.setHeader('X-ClickHouse-Exception-Code', code);
  response.end(`${message} (version 26.7.2.1 (test build))\n`);
}

void keeper;
