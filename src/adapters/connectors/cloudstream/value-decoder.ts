import type { CloudstreamSourceInput } from '../../../contract/pipe/cloudstream.ts';
import type { SourceRecord } from '../../../ports/connector.ts';

/** Makes JSON of a record's bytes. */
export type ValueDecoder = (value: Buffer) => Pick<SourceRecord, 'data' | 'refused' | 'raw'>;

/** JSON goes on as it came. */
export function valueDecoder(_format: CloudstreamSourceInput['format']): ValueDecoder {
  return (value) => ({ data: value });
}
