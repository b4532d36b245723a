import { createServer } from 'node:http';

/**
 * Counters for Prometheus to scrape, in a process of their own:
 * `log_records_total{service="svc-<n>"}` for n below the first argument. Each grows by one a
 * second, those whose number modulo 1,000 is below 10 by a hundred. `POST /breach?service=<name>`
 * adds a gauge that is 1 from then on.
 */
const count = Number(process.argv[2] ?? 0);
const beganMs = Date.now();
const breached: string[] = [];

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  if (request.method === 'POST') {
    breached.push(url.searchParams.get('service') ?? '');
    response.end(String(Date.now()));
    return;
  }
  const seconds = Math.floor((Date.now() - beganMs) / 1000);
  const lines = ['# TYPE log_records_total counter'];
  for (let index = 0; index < count; index++) {
    lines.push(
      `log_records_total{service="svc-${index}"} ${seconds * (index % 1000 < 10 ? 100 : 1)}`,
    );
  }
  lines.push(
    '# TYPE breached gauge',
    ...breached.map((service) => `breached{service="${service}"} 1`),
    '',
  );
  response.setHeader('content-type', 'text/plain; version=0.0.4');
  response.end(lines.join('\n'));
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port));
process.on('disconnect', () => process.exit(0));
