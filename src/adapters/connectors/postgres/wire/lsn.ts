/** A place in the server's write-ahead log (WAL), as 64 bits. */
export type Lsn = bigint;

/** Text of an LSN as the server writes it: `16/B374D848`. */
export function lsnText(lsn: Lsn): string {
  return `${(lsn >> 32n).toString(16).toUpperCase()}/${(lsn & 0xffffffffn).toString(16).toUpperCase()}`;
}

/** @throws RangeError if the text is not an LSN */
export function parseLsn(text: string): Lsn {
  if (!/^[0-9A-Fa-f]{1,8}\/[0-9A-Fa-f]{1,8}$/.test(text)) {
    throw new RangeError(`not a log sequence number: ${text.slice(0, 40)}`);
  }
  const slash = text.indexOf('/');
  return (BigInt(`0x${text.slice(0, slash)}`) << 32n) | BigInt(`0x${text.slice(slash + 1)}`);
}

/**
 * A position in the stream. It covers every transaction whose commit record is before `lsn`, and
 * the first `changes` row changes of the transaction whose commit record is at `lsn`.
 */
export interface StreamPosition {
  lsn: Lsn;
  changes: number;
}

export function positionText({ lsn, changes }: StreamPosition): string {
  return changes === 0 ? lsnText(lsn) : `${lsnText(lsn)}+${changes}`;
}

/** @throws RangeError if the text is not a position */
export function parsePosition(text: string): StreamPosition {
  const [lsn = '', changes = '0'] = text.split('+');
  if (!/^\d{1,15}$/.test(changes)) {
    throw new RangeError(`not a stream position: ${text.slice(0, 60)}`);
  }
  return { lsn: parseLsn(lsn), changes: Number(changes) };
}
