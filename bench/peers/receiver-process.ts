import { createServer } from 'node:http';

/**
 * A webhook receiver in a process of its own. `POST /hook` takes bodies of Alertmanager and of
 * Sightline; `GET /arrivals` answers when each came: `[[atMs, name], …]`, where name is the service
 * an alert is about; `GET /count` how many; `DELETE /arrivals` forgets them.
 */
interface Body {
  alerts?: { labels?: Record<string, string> }[];
  data?: { group?: string; alert?: { name?: string } };
}

let arrivals: [atMs: number, name: string][] = [];

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const atMs = performance.timeOrigin + performance.now();
    if (request.method === 'POST') {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Body;
      arrivals.push([
        atMs,
        body.alerts?.[0]?.labels?.['service'] ?? (body.data?.group || body.data?.alert?.name) ?? '',
      ]);
      response.end('ok');
      return;
    }
    if (request.method === 'DELETE') {
      arrivals = [];
    }
    response.end(JSON.stringify(request.url === '/count' ? arrivals.length : arrivals));
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port));
process.on('disconnect', () => process.exit(0));
