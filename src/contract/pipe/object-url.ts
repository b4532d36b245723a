import { z } from 'zod';
import { WebAddress } from './fields.ts';

/** Where objects are: a bucket, and a key with `?`, `*`, `**` and `{a,b}` in it. */
export const ObjectUrl = z
  .string()
  .max(4096)
  .superRefine((text, context) => {
    const message = urlMistake(text);
    if (message !== undefined) {
      context.addIssue({ code: 'custom', message });
    }
  });

/** A key with patterns in it, as for `ObjectUrl`. */
export const ObjectPath = z
  .string()
  .min(1, 'must not be empty')
  .max(4096)
  .superRefine((text, context) => {
    const message = keyMistake(text);
    if (message !== undefined) {
      context.addIssue({ code: 'custom', message });
    }
  });

/** Host names that begin with a bucket, as the services write them. */
const bucketHosts = [
  /^(?<bucket>.+?)\.(?<service>s3(?:[.-](?:fips|dualstack|accelerate))*(?:[.-](?<region>[a-z0-9-]+))?\..+)$/,
  /^(?<bucket>.+?)\.(?<service>storage\.googleapis\.com)$/,
  /^(?<bucket>.+?)\.(?<service>(?<region>[a-z0-9-]+)\.digitaloceanspaces\.com)$/,
  /^(?<bucket>.+?)\.(?<service>[0-9a-f]{32}(?:\.(?:eu|fedramp))?\.r2\.cloudflarestorage\.com)$/,
];

/** The bucket in a host name (lower case, without port), the service's own host, and its region where it says so. Undefined: the bucket stands in the path. */
export function bucketOfHost(
  host: string,
): { bucket: string; service: string; region: string | undefined } | undefined {
  const found = bucketHosts
    .map((pattern) => pattern.exec(host)?.groups)
    .find((groups) => groups !== undefined);
  return found && { bucket: found['bucket']!, service: found['service']!, region: found['region'] };
}

const noAddress = 'must be an https:// or s3:// address without a user name or password in it';
const noKey = 'names no object: a bucket and a key must follow, such as /bucket/folder/*.json';

function urlMistake(text: string): string | undefined {
  if (/^gs:\/\//i.test(text)) {
    return 'must be written as https://storage.googleapis.com/, with bucket and key after it';
  }
  const s3 = /^s3:\/\/[a-z0-9][a-z0-9.-]{1,62}(?:\/(.*))?$/s.exec(text);
  if (s3) {
    return s3[1] === undefined ? noKey : keyMistake(s3[1]);
  }
  if (!WebAddress.safeParse(text.replaceAll(' ', '%20')).success) {
    return noAddress;
  }
  const [, authority = '', path = ''] = /^https?:\/\/([^/?#]+)(?:\/(.*))?$/is.exec(text) ?? [];
  const host = authority.replace(/:\d*$/, '').toLowerCase();
  if (
    /\.blob\.(?:core\.windows\.net|core\.chinacloudapi\.cn|core\.usgovcloudapi\.net|storage\.azure\.net)$/.test(
      host,
    )
  ) {
    return 'is in Azure Blob Storage: give containerName, connectionString and path in its place';
  }
  const isBare = !path.includes('/');
  // One part alone is told in the state of the pipe: it may be a host that we do not know to have a bucket in it.
  return keyMistake(bucketOfHost(host) || isBare ? path : path.slice(path.indexOf('/') + 1));
}

function keyMistake(key: string): string | undefined {
  if (key === '') {
    return noKey;
  }
  if (!bracesPair(key)) {
    return 'has a { without its }, or braces inside braces';
  }
  if (/\p{Cc}/u.test(key)) {
    return 'must not contain control characters';
  }
  return key.endsWith('/')
    ? 'ends with a /, which is a folder and no object: put * (what is in it) or ** (folders in it too) behind it'
    : undefined;
}

function bracesPair(text: string): boolean {
  let open = false;
  for (const char of text) {
    if (char === '{' && open) {
      return false;
    }
    if (char === '}' && !open) {
      return false;
    }
    if (char === '{') {
      open = true;
    }
    if (char === '}') {
      open = false;
    }
  }
  return !open;
}
