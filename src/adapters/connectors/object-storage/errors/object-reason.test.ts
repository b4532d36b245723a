import { describe, expect, it } from 'vitest';
import { objectReason } from './object-reason.ts';

const code = 'Code: 27. DB::Exception: ';
const place =
  ': (in file/uri bucket/a.json): While executing JSONEachRowRowInputFormat: ' +
  'While executing S3Source. (CANNOT_PARSE_INPUT_ASSERTION_FAILED)';
const unsafe = 'Value in column Int256 cannot be safely converted into type UInt8';

describe('why an object is refused', () => {
  it.each([
    [
      'inflate failed: buffer error: While reading from: b/a.gz',
      'it is cut off: its compressed stream does not come to its end',
    ],
    [
      'inflate failed: data error: While reading from: b/a.gz',
      'it is damaged, or not compressed with gzip',
    ],
    [
      'brotli decode error: While reading from: b/a.br',
      'it is cut off, damaged, or not compressed with brotli',
    ],
    [
      'lzma_stream_decoder failed: error code: error code LZMA_BUF_ERROR; lzma version: 5.8.3',
      'it is cut off: its compressed stream does not come to its end',
    ],
    [
      'lzma_stream_decoder failed: error code: error code LZMA_FORMAT_ERROR; lzma version: 5.8.3',
      'it is not compressed with xz',
    ],
    [
      "ZSTD stream decoding failed: error 'Unknown frame descriptor'; ZSTD version: 1.5.8",
      'it is not compressed with zstd',
    ],
    [
      "ZSTD stream decoding failed: error 'Data corruption detected'; ZSTD version: 1.5.8",
      'it is damaged, or not compressed with zstd',
    ],
    [
      'Not a Parquet file (wrong magic bytes at the end of file)',
      'it is cut off, or not a Parquet file',
    ],
    [
      'avro::Exception: Invalid data file. Magic does not match: . (AVRO_EXCEPTION)',
      'it is not an Avro file',
    ],
    [
      'std::exception. Code: 1001, type: avro::Exception, e.what() = EOF reached (version 26.7.2.1)',
      'it is cut off: the Avro file does not come to its end',
    ],
    [
      'avro::Exception: EOF reached. (AVRO_EXCEPTION)',
      'it is cut off: the Avro file does not come to its end',
    ],
  ])('is said in words for "%s"', (said, meant) => {
    expect(objectReason(code + said + place)).toBe(meant);
  });

  it('is what the engine says of a value, without places of its own', () => {
    expect(
      objectReason(
        `${code}Cannot parse input: expected '"' before: 'x}': (while reading the value of key n): (at row 2)${place}`,
      ),
    ).toBe(
      "Cannot parse input: expected '\"' before: 'x}': (while reading the value of key n): (at row 2)",
    );
    expect(
      objectReason(
        `${code}Cannot parse quoted string: expected closing quote: (at row 1) : Buffer has gone, ` +
          `cannot extract information about what has been parsed${place}`,
      ),
    ).toBe('Cannot parse quoted string: expected closing quote: (at row 1)');
  });

  it.each([
    [
      `${unsafe}: while executing 'FUNCTION accurateCast(__table2.n :: 5, 'UInt8'_String :: 2) ` +
        "-> accurateCast(__table2.n, 'UInt8'_String) UInt8 : 1'. (CANNOT_CONVERT_TYPE)",
      'a value is out of range for n (UInt8)',
    ],
    [
      `${unsafe}: while executing 'FUNCTION accurateCast(tupleElement(__table2.a, 'b') :: 5, ` +
        "'UInt8'_String :: 2)'. (CANNOT_CONVERT_TYPE)",
      'a value is out of range for a column of type UInt8',
    ],
    [`${unsafe}. (CANNOT_CONVERT_TYPE)`, 'a value is out of range for a column of type UInt8'],
  ])('of an integer that does not fit says which column', (said, meant) => {
    expect(objectReason(`Code: 70. DB::Exception: ${said}`)).toBe(meant);
  });

  it('names what bytes may be that are no text, and shows none of them', () => {
    const reason = objectReason(
      `${code}Cannot parse input: expected '{' before: '\ufffd\ufffd{\u0000"\u0000': (at row 1)${place}`,
    );
    expect(reason).toBe(
      "Cannot parse input: expected '{' before bytes that are no text (at row 1): it may be " +
        'compressed without saying so (by the ending of its name, or by the compression of the ' +
        'pipe), or in an encoding such as UTF-16',
    );
  });

  it('has a bounded length', () => {
    expect(objectReason(`${code}${'x'.repeat(10_000)}`).length).toBe(600);
  });
});
