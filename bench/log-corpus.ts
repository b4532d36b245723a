import { createHash } from 'node:crypto';
import { PbfWriter } from 'pbf';
import { writeAttribute } from './otlp-attribute.ts';

export const services =
  'cart checkout payment frontend shipping email currency ads search login'.split(' ');
const routes = ['/api/cart', '/api/products/:id', '/api/orders/:id', '/api/search', '/login'];

const needle = 'needle7f3a9c41';

export interface Corpus {
  requests: Buffer[];
  records: number;
  bytes: number;
  startMs: number;
  endMs: number;
  /** An id that about six records share. */
  traceId: string;
  /** A word that one record has. */
  needle: string;
}

/**
 * OTLP requests with log records of ten services in the last hour: eight kinds of text with numbers
 * that differ, four attributes, six of the resource, trace ids shared by about six records.
 */
export function logCorpus(records: number, perRequest: number): Corpus {
  const count = Math.ceil(records / perRequest);
  const endMs = Date.now();
  const startMs = endMs - 3_600_000;
  const stepMs = (endMs - startMs) / (count * perRequest);
  const requests = Array.from({ length: count }, (_, batch) => {
    const writer = new PbfWriter();
    const size = Math.ceil(perRequest / services.length);
    for (let first = 0; first < perRequest; first += size) {
      const id = batch * perRequest + first;
      const ids = Array.from({ length: Math.min(size, perRequest - first) }, (_none, n) => id + n);
      writer.writeMessage(
        1,
        (_empty: undefined, group) => writeGroup(group, ids, startMs, stepMs),
        undefined,
      );
    }
    return Buffer.from(writer.finish());
  });
  return {
    requests,
    records: count * perRequest,
    bytes: requests.reduce((sum, { length }) => sum + length, 0),
    startMs,
    endMs,
    traceId: idOf('trace', 1000).toString('hex'),
    needle,
  };
}

function writeGroup(
  group: PbfWriter,
  ids: readonly number[],
  startMs: number,
  stepMs: number,
): void {
  writeResource(group, ids[0]!);
  group.writeMessage(
    2,
    (_: undefined, scope) => {
      for (const id of ids) {
        scope.writeMessage(
          2,
          (_none: undefined, record) => writeRecord(record, id, startMs + id * stepMs),
          undefined,
        );
      }
    },
    undefined,
  );
}

/** The service and the place that the records from `id` on come from. */
export function writeResource(group: PbfWriter, id: number): void {
  const number = draw(id, 1);
  const service = services[number % services.length]!;
  group.writeMessage(
    1,
    (_: undefined, resource) => {
      writeAttribute(resource, 1, 'service.name', service);
      writeAttribute(resource, 1, 'service.version', `1.4.${number % 3}`);
      writeAttribute(resource, 1, 'host.name', `node-${number % 12}`);
      writeAttribute(resource, 1, 'k8s.namespace.name', 'shop');
      writeAttribute(resource, 1, 'k8s.pod.name', `${service}-7c9d8f-${number % 5}`);
      writeAttribute(resource, 1, 'cloud.region', 'eu-west-1');
    },
    undefined,
  );
}

function writeRecord(record: PbfWriter, id: number, timeMs: number): void {
  const [severity, text] = severityOf(draw(id, 2) % 100);
  record.writeFixed64Field(1, timeMs * 1e6);
  record.writeVarintField(2, severity);
  record.writeStringField(3, text);
  record.writeMessage(
    5,
    (_: undefined, body) => body.writeStringField(1, id === 777 ? `found ${needle}` : bodyOf(id)),
    undefined,
  );
  writeAttribute(record, 6, 'http.route', routes[draw(id, 3) % routes.length]!);
  writeAttribute(record, 6, 'http.response.status_code', [200, 200, 404, 500][draw(id, 4) % 4]!);
  writeAttribute(record, 6, 'user.id', `u${draw(id, 5) % 200_000}`);
  writeAttribute(record, 6, 'thread.name', `worker-${draw(id, 6) % 16}`);
  record.writeBytesField(9, idOf('trace', Math.floor(id / 6)));
  record.writeBytesField(10, idOf('span', id).subarray(0, 8));
}

function severityOf(percent: number): [number, string] {
  if (percent < 2) {
    return [17, 'ERROR'];
  }
  return percent < 8 ? [13, 'WARN'] : [9, 'INFO'];
}

function bodyOf(id: number): string {
  const [a, b, c] = [draw(id, 7), draw(id, 8), draw(id, 9)];
  const unique = idOf('body', id).toString('hex');
  switch (a % 8) {
    case 0:
      return `request completed method=GET path=/api/cart status=200 duration=${b % 2000}ms bytes=${c % 90_000}`;
    case 1:
      return `order ${unique} placed by user ${b % 200_000}, total ${(c % 50_000) / 100} EUR`;
    case 2:
      return `cache miss key=product:${b % 50_000} ttl=${c % 3600}`;
    case 3:
      return `cannot connect to 10.${b % 256}.${c % 256}.7:${5000 + (c % 4000)}, attempt ${b % 5} of 5`;
    case 4:
      return `consumed topic=orders partition=${b % 32} offset=${c} lag=${b % 500}`;
    case 5:
      return `slow query took ${b % 30_000} ms: SELECT * FROM orders WHERE customer = ${c % 200_000}`;
    case 6:
      return `payment ${unique} accepted by provider alpha in ${b % 900} ms`;
    default:
      return `java.lang.IllegalStateException: ${unique} ended\n\tat shop.Session(Session.java:${b % 400})`;
  }
}

/** A number that only `id` and `salt` decide: every run sends the same records. */
export function draw(id: number, salt: number): number {
  let hash = Math.imul(id + 0x9e3779b9, 0x85ebca6b) ^ Math.imul(salt, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x27d4eb2f);
  return (hash ^ (hash >>> 13)) >>> 0;
}

export function idOf(kind: string, number: number): Buffer {
  return createHash('md5').update(`${kind}${number}`).digest();
}
