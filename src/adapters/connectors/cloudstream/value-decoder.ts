import type { CloudstreamSourceInput } from '../../../contract/pipe/cloudstream.ts';
import type { SourceRecord } from '../../../ports/connector.ts';
import { avroContainerDecoder } from '../avro.ts';

/** Makes JSON of a record's bytes. */
export type ValueDecoder = (value: Buffer) => Pick<SourceRecord, 'data' | 'refused' | 'raw'>;

export function valueDecoder(format: CloudstreamSourceInput['format']): ValueDecoder {
  return format === 'Avro' ? avro() : plainJson;
}

const plainJson: ValueDecoder = (value) => ({ data: value });

/** Each record is a whole Avro file of one value: its schema is in it. */
function avro(): ValueDecoder {
  const decode = avroContainerDecoder();
  return (value) => {
    try {
      return { data: decode(value), raw: value };
    } catch (error) {
      return {
        data: null,
        raw: value,
        refused: `the record cannot be decoded: ${error instanceof Error ? error.message.slice(0, 300) : 'it does not follow its schema'}`,
      };
    }
  };
}
