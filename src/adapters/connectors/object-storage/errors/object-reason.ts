/** What the engine says about content, and what that means for the author. The first match counts. */
const meanings: readonly (readonly [RegExp, string])[] = [
  [
    /inflate failed: buffer error|LZMA_BUF_ERROR/,
    'it is cut off: its compressed stream does not come to its end',
  ],
  [/inflate failed/, 'it is damaged, or not compressed with gzip'],
  [
    /brotli decode error|BROTLI_READ_FAILED/,
    'it is cut off, damaged, or not compressed with brotli',
  ],
  [/LZMA_FORMAT_ERROR/, 'it is not compressed with xz'],
  [/lzma_stream_decoder failed/, 'it is damaged, or not compressed with xz'],
  [/Unknown frame descriptor/, 'it is not compressed with zstd'],
  [/ZSTD stream decoding failed/, 'it is damaged, or not compressed with zstd'],
  [/Not a Parquet file|Parquet file too short/, 'it is cut off, or not a Parquet file'],
  [/Invalid data file\. Magic does not match/, 'it is not an Avro file'],
  [
    /avro::Exception(?:: |, e\.what\(\) = )EOF reached/,
    'it is cut off: the Avro file does not come to its end',
  ],
];

const noText = /(?![\t\n\r])\p{Cc}|\ufffd|<(?:ASCII NUL|0x[0-9A-F]{2})>|\\0|\\x[0-9A-Fa-f]{2}/u;

/**
 * Translates the engine's words about content for its author, without places inside the engine and
 * without bytes that are no text.
 */
export function objectReason(error: string): string {
  const known = meanings.find(([words]) => words.test(error))?.[1] ?? outOfRange(error);
  if (known !== undefined) {
    return known;
  }
  const text = error
    .replace(/^[\s\S]*?(?:DB::\w*Exception: |e\.what\(\) = )/, '')
    .replace(/: ?\(in file\/uri [^)]*\)/g, '')
    .replace(/[\s:]*While executing[\s\S]*$/, '')
    .replace(/ ?\(version [^)]*\)/, '')
    .replace(/ ?:? ?Buffer has gone, cannot extract information about what has been parsed/, '');
  const quote = /before: '/.exec(text);
  if (quote && noText.test(text.slice(quote.index))) {
    const row = /\(at row \d+\)/.exec(text.slice(quote.index))?.[0] ?? '';
    return (
      `${plain(text.slice(0, quote.index))} before bytes that are no text ${row}`.trimEnd() +
      ': it may be compressed without saying so (by the ending of its name, or by the ' +
      'compression of the pipe), or in an encoding such as UTF-16'
    );
  }
  return plain(text);
}

/** An integer that a strict cast refused: the engine names the type, and quotes the field. */
function outOfRange(error: string): string | undefined {
  const type = /Value in column .+? cannot be safely converted into type (.+?)(?:\. \(|: |$)/.exec(
    error,
  )?.[1];
  if (type === undefined) {
    return undefined;
  }
  const field =
    /FUNCTION accurateCast\((?:ifNull\()?(?:__table\d+\.)?(`(?:[^`\\]|\\.)+`|\w+)(?: ::|,)/.exec(
      error,
    )?.[1];
  return `a value is out of range for ${field === undefined ? `a column of type ${type}` : `${field} (${type})`}`;
}

const plain = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[\s.:]+$/, '')
    .slice(0, 600);
