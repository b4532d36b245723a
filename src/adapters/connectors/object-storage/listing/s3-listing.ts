import type { ListedObject } from '../../../../ports/store/object-ledger.ts';

/** One page of a listing. */
export interface S3Listing {
  objects: ListedObject[];
  /** Where the next page begins. Absent: this is the last page. */
  token?: string;
}

/**
 * Parses a page of ListObjectsV2 as services write it, at a tenth of the cost of an XML parser: for
 * small objects, pages are most of the work of this process. Undefined: the page is written in
 * another way and needs an XML parser.
 */
export function s3Listing(xml: string): S3Listing | undefined {
  if (
    !/^\s*(?:<\?xml[^>]*\?>)?\s*<ListBucketResult[\s>]/.test(xml) ||
    !xml.trimEnd().endsWith('</ListBucketResult>') ||
    /<!|<[\w-]+:/.test(xml)
  ) {
    return undefined;
  }
  const [head = '', ...contents] = xml.split('<Contents>');
  const end = contents.at(-1)?.lastIndexOf('</Contents>') ?? -1;
  const lastContent = contents.at(-1) ?? '';
  const around = contents.length === 0 ? head : head + lastContent.slice(end);
  const isEncoded = field(around, 'EncodingType') === 'url';
  const objects: ListedObject[] = [];
  for (const one of contents) {
    const object = listedObject(one, isEncoded);
    if (!object) {
      return undefined;
    }
    objects.push(object);
  }
  const token =
    field(around, 'IsTruncated') === 'true' ? field(around, 'NextContinuationToken') : undefined;
  return { objects, ...(token === undefined ? {} : { token }) };
}

function listedObject(xml: string, isEncoded: boolean): ListedObject | undefined {
  const key = field(xml, 'Key');
  const bytes = Number(field(xml, 'Size'));
  const modifiedAtMs = Date.parse(field(xml, 'LastModified') ?? '');
  if (
    key === undefined ||
    !xml.includes('</Contents>') ||
    !Number.isSafeInteger(bytes) ||
    Number.isNaN(modifiedAtMs)
  ) {
    return undefined;
  }
  return {
    name: isEncoded ? listedName(key) : key,
    etag: field(xml, 'ETag') ?? '',
    bytes,
    modifiedAtMs,
  };
}

/** A name as `encoding-type=url` writes it. */
export function listedName(key: string): string {
  return key.includes('%') || key.includes('+')
    ? decodeURIComponent(key.replaceAll('+', ' '))
    : key;
}

/** The text of the first element of that name. */
function field(xml: string, name: string): string | undefined {
  const begin = xml.indexOf(`<${name}>`);
  if (begin < 0) {
    return undefined;
  }
  const end = xml.indexOf(`</${name}>`, begin);
  return end < 0 ? undefined : unescaped(xml.slice(begin + name.length + 2, end));
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

function unescaped(text: string): string {
  if (!text.includes('&')) {
    return text;
  }
  return text.replace(
    /&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(\w+));/g,
    (whole, hex: string | undefined, decimal: string | undefined, name: string | undefined) => {
      if (name !== undefined) {
        return entities[name] ?? whole;
      }
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
