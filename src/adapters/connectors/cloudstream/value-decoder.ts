import type { CloudstreamSourceInput } from '../../../contract/pipe/cloudstream.ts';
import type { DecodedValue } from '../../../ports/batch.ts';
import { avroContainerDecoder } from '../avro.ts';
import { decodingReason } from '../decoding-reason.ts';

/** Converts a record's bytes to JSON. */
export type ValueDecoder = (value: Buffer) => DecodedValue;

export function valueDecoder(format: CloudstreamSourceInput['format']): ValueDecoder {
  return format === 'Avro' ? avro() : plainJson;
}

const plainJson: ValueDecoder = (value) => ({ data: value });

/** Each record is an Avro file of one value, with its schema. */
function avro(): ValueDecoder {
  const decode = avroContainerDecoder();
  return (value) => {
    try {
      return { data: decode(value), raw: value };
    } catch (error) {
      return { data: null, raw: value, refused: decodingReason(error) };
    }
  };
}
