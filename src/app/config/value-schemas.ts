import { BlockList, isIP } from 'node:net';
import { z } from 'zod';

/** Text of an environment variable; the schemas below turn it into values. */
export const text = z.string().trim();
export const whole = (min: number, max: number) =>
  text
    .regex(/^\d{1,10}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(
      z
        .number()
        .min(min, `must be from ${min} to ${max}`)
        .max(max, `must be from ${min} to ${max}`),
    );
export const port = whole(0, 65_535);
export const flag = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((value) => value === 'true' || value === '1');
export const list = text.transform((value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);
export const uuid = z.guid('must be a UUID').toLowerCase();
export const urlOf = (...protocols: string[]) =>
  text.refine(
    (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
    `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  );
/** One address or several. A comma may be part of a password, so that it has to be followed by `http`. */
export const serverUrls = text.transform((value, context) => {
  const urls = value.split(/\s*,\s*(?=https?:\/\/)/);
  const isUrl = (url: string): boolean =>
    URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  if (!urls.every(isUrl)) {
    context.addIssue({
      code: 'custom',
      message:
        'must be a URL that starts with http:// or https://, or several of them separated by commas',
    });
  }
  return urls;
});
export const subset = <T extends string>(allowed: readonly T[]) =>
  list
    .refine(
      (parts) =>
        parts.length > 0 && parts.every((part) => (allowed as readonly string[]).includes(part)),
      `must be a comma-separated list of ${allowed.join(', ')}`,
    )
    .transform((parts) => parts as T[]);
export const addresses = list.refine(
  (parts) => parts.every(isAddressOrBlock),
  'must be a comma-separated list of IP addresses and CIDR blocks',
);

/** `host[:port]=region`, comma-separated. */
export const regions = list.transform((parts, context) =>
  Object.fromEntries(
    parts.map((part) => {
      const [, host, region] =
        /^((?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?)=([a-z0-9-]{1,64})$/i.exec(part) ?? [];
      if (host === undefined || region === undefined) {
        context.addIssue({
          code: 'custom',
          message:
            'must be a comma-separated list such as s3.example.com=eu-1,minio.internal:9000=garage',
        });
      }
      return [(host ?? '').toLowerCase(), region ?? ''] as const;
    }),
  ),
);
/** `<requests>/<seconds>s`, or `off`. */
export const rateLimit = text.transform((value, context) => {
  if (value === 'off') {
    return 'off' as const;
  }
  const match = /^([1-9]\d{0,8})\/([1-9]\d{0,4})s$/.exec(value);
  if (match) {
    return { requests: Number(match[1]), windowMs: Number(match[2]) * 1000 };
  }
  context.addIssue({
    code: 'custom',
    message: 'must be off, or requests per number of seconds, such as 1000/10s',
  });
  return z.NEVER;
});

function isAddressOrBlock(part: string): boolean {
  const [address = '', bits, ...rest] = part.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) {
    return false;
  }
  if (bits === undefined) {
    return true;
  }
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128)) {
    return false;
  }
  new BlockList().addSubnet(address, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
  return true;
}
