/** A place in the server's write-ahead log, as 64 bits. */
export type Lsn = bigint;

/** `16/B374D848`, as the server writes it. */
export function lsnText(lsn: Lsn): string {
  return `${(lsn >> 32n).toString(16).toUpperCase()}/${(lsn & 0xffffffffn).toString(16).toUpperCase()}`;
}

/** @throws RangeError for anything else. */
export function parseLsn(text: string): Lsn {
  const match = /^([0-9A-Fa-f]{1,8})\/([0-9A-Fa-f]{1,8})$/.exec(text);
  if (!match) {
    throw new RangeError(`not a log sequence number: ${text.slice(0, 40)}`);
  }
  return (BigInt(`0x${match[1]!}`) << 32n) | BigInt(`0x${match[2]!}`);
}

/**
 * Where the stream is: every transaction whose commit record is before `lsn` is behind it, and so are the first `changes` row
 * changes of the one whose commit record is at `lsn`.
 */
export interface StreamPosition {
  lsn: Lsn;
  changes: number;
}

export function positionText({ lsn, changes }: StreamPosition): string {
  return changes === 0 ? lsnText(lsn) : `${lsnText(lsn)}+${changes}`;
}

/** @throws RangeError */
export function parsePosition(text: string): StreamPosition {
  const [lsn, changes = '0'] = text.split('+');
  if (!/^\d{1,15}$/.test(changes)) {
    throw new RangeError(`not a position of a stream: ${text.slice(0, 60)}`);
  }
  return { lsn: parseLsn(lsn!), changes: Number(changes) };
}
