import type { PbfWriter } from 'pbf';

/** Writes an OTLP attribute (`KeyValue`) as a field of the message. */
export function writeAttribute(
  to: PbfWriter,
  field: number,
  key: string,
  value: string | number,
): void {
  to.writeMessage(
    field,
    (_: undefined, pair) => {
      pair.writeStringField(1, key);
      pair.writeMessage(
        2,
        (_none: undefined, any) =>
          typeof value === 'string'
            ? any.writeStringField(1, value)
            : any.writeVarintField(3, value),
        undefined,
      );
    },
    undefined,
  );
}
