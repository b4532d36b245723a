import { PbfWriter } from 'pbf';
import { writeAttribute } from './otlp-attribute.ts';

/**
 * An OTLP request (protobuf) with log records as a web service writes them: about 100 bytes of
 * text and eight attributes, 17 ms apart from `startMs` on (an hour ago by default).
 */
export function logsRequest({
  rows,
  batch,
  startMs = Date.now() - 3_600_000,
  stepMs = 17,
}: {
  rows: number;
  batch: number;
  startMs?: number;
  stepMs?: number;
}): Uint8Array {
  const writer = new PbfWriter();
  writer.writeMessage(
    1,
    (_: undefined, resource) => {
      resource.writeMessage(
        1,
        (_none: undefined, to) => {
          for (const [key, value] of [
            ['service.name', `service-${batch % 7}`],
            ['host.name', 'web-1'],
            ['service.version', '1.2.3'],
            ['cloud.region', 'eu-west-1'],
            ['k8s.pod.name', 'web-7c9d8f-x2x4z'],
          ] as const) {
            writeAttribute(to, 1, key, value);
          }
        },
        undefined,
      );
      resource.writeMessage(
        2,
        (_none: undefined, scope) => {
          for (let index = 0; index < rows; index++) {
            const id = batch * rows + index;
            scope.writeMessage(
              2,
              (_record: undefined, record) => {
                record.writeFixed64Field(1, (startMs + index * stepMs) * 1e6);
                record.writeVarintField(2, 9);
                record.writeStringField(3, id % 20 === 0 ? 'ERROR' : 'INFO');
                record.writeMessage(
                  5,
                  (_body: undefined, body) =>
                    body.writeStringField(
                      1,
                      `GET /api/products/${id % 977} answered 200 in ${id % 341} ms for user ` +
                        `${id % 5003}, cache ${id % 3 === 0 ? 'miss' : 'hit'}`,
                    ),
                  undefined,
                );
                for (const [key, value] of [
                  ['http.request.method', 'GET'],
                  ['http.route', '/api/products/:id'],
                  ['http.response.status_code', 200],
                  ['user.id', `user-${id % 5003}`],
                  ['duration.ms', id % 341],
                  ['client.address', `10.0.${id % 256}.${(id >> 3) % 256}`],
                  ['thread.name', 'worker-4'],
                  ['cache.hit', id % 3 === 0 ? 'no' : 'yes'],
                ] as const) {
                  writeAttribute(record, 6, key, value);
                }
                record.writeBytesField(9, Buffer.from(id.toString(16).padStart(32, '0'), 'hex'));
                record.writeBytesField(10, Buffer.from(id.toString(16).padStart(16, '1'), 'hex'));
              },
              undefined,
            );
          }
        },
        undefined,
      );
    },
    undefined,
  );
  return writer.finish();
}
