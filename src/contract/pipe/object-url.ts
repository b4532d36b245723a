import { z } from 'zod';
import { WebAddress } from './fields.ts';

/** URL of objects: a bucket, and a key that can contain `?`, `*`, `**` and `{a,b}`. */
export const ObjectUrl = z
  .string()
  .max(4096)
  .superRefine((text, context) => {
    const message = urlMistake(text);
    if (message !== undefined) {
      context.addIssue({ code: 'custom', message });
    }
  });

/** A key with the patterns of `ObjectUrl`. */
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

/** Host names of known services that begin with a bucket. */
const bucketHosts = [
  /^(?<bucket>.+?)\.(?<service>s3(?:[.-](?:fips|dualstack|accelerate))*(?:[.-](?<region>[a-z0-9-]+))?\..+)$/,
  /^(?<bucket>.+?)\.(?<service>storage\.googleapis\.com)$/,
  /^(?<bucket>.+?)\.(?<service>(?<region>[a-z0-9-]+)\.digitaloceanspaces\.com)$/,
  /^(?<bucket>.+?)\.(?<service>[0-9a-f]{32}(?:\.(?:eu|fedramp))?\.r2\.cloudflarestorage\.com)$/,
];

/**
 * The bucket in a host name (lower case, without port), the service's own host, and its region if
 * the name contains it. Undefined if the bucket is in the path.
 */
export function bucketOfHost(
  host: string,
): { bucket: string; service: string; region: string | undefined } | undefined {
  const match = bucketHosts
    .map((pattern) => pattern.exec(host)?.groups)
    .find((groups) => groups !== undefined);
  return match && { bucket: match['bucket']!, service: match['service']!, region: match['region'] };
}

const noAddress = 'must be an https:// or s3:// URL without a user name or password';
const noKey = 'names no object: add a bucket and a key, such as /bucket/folder/*.json';

function urlMistake(text: string): string | undefined {
  if (/^gs:\/\//i.test(text)) {
    return 'must have the form https://storage.googleapis.com/<bucket>/<key>';
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
    return 'is an Azure Blob Storage URL: use containerName, connectionString and path instead';
  }
  const isBare = !path.includes('/');
  // A key without a bucket is reported in the state of the pipe: the host may contain a bucket in
  // an unknown form.
  return keyMistake(bucketOfHost(host) || isBare ? path : path.slice(path.indexOf('/') + 1));
}

function keyMistake(key: string): string | undefined {
  if (key === '') {
    return noKey;
  }
  if (!bracesPair(key)) {
    return 'has unbalanced or nested braces';
  }
  if (/\p{Cc}/u.test(key)) {
    return 'must not contain control characters';
  }
  return key.endsWith('/')
    ? 'is a folder: append * to load its objects, or ** to include its subfolders'
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
