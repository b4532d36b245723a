import { createHash } from 'node:crypto';

/** Header lines that must let nobody in. */
export interface Attack {
  name: string;
  lines: string[];
}

export interface Target {
  keyId: string;
  keySecret: string;
  /** A valid pair of another organization's disabled key, say: known to the server, not usable. */
  accessKey: string;
  ingestionKey: string;
}

const base64 = (text: string | Uint8Array): string =>
  Buffer.from(text as string).toString('base64');
const basic = (text: string | Uint8Array): string => `Authorization: Basic ${base64(text)}`;
const sha256 = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();
const one = (kind: string, lines: string[]): Attack[] =>
  lines.map((line, index) => ({ name: `${kind} ${index}`, lines: [line] }));

/** Some five hundred ways to get in without a valid credential, built around a valid one. */
export function attacks(target: Target): Attack[] {
  return [
    ...schemes(target),
    ...truncated(target),
    ...almostRight(target),
    ...controls(target),
    ...unicode(target),
    ...lengths(target),
    ...parts(target),
    ...lists(target),
    ...elsewhere(target),
    ...injections(target),
    ...noise(),
  ];
}

function schemes({ keyId, keySecret, accessKey, ingestionKey }: Target): Attack[] {
  const token = base64(`${keyId}:${keySecret}`);
  const words = [
    'Bearer',
    'Digest',
    'Negotiate',
    'NTLM',
    'Token',
    'ApiKey',
    'Key',
    'HOBA',
    'Mutual',
    'OAuth',
    'AWS4-HMAC-SHA256',
    'SCRAM-SHA-256',
    'GNAP',
    'DPoP',
    'Basic:',
    'Basic=',
    'Basic,',
    'Basicx',
    'xBasic',
    'Basi',
    'B',
    '"Basic"',
    'Basic Basic',
    'Basic\t',
    'Basic\u00a0',
    'Bаsic',
    'ＢＡＳＩＣ',
    'Basic\u200b',
    '-',
    '*',
    'null',
    'undefined',
    'true',
  ];
  return [
    ...one(
      'scheme',
      words.map((word) => `Authorization: ${word} ${token}`),
    ),
    ...one('bare', [
      `Authorization: ${token}`,
      `Authorization: ${keyId}:${keySecret}`,
      `Authorization: Basic ${keyId}:${keySecret}`,
      `Authorization: Basic ${keyId} ${keySecret}`,
      'Authorization: Basic',
      'Authorization:',
      'Authorization: Basic realm="x"',
      `Authorization: Bearer ${keyId}`,
      `Authorization: Bearer ${keySecret}`,
    ]),
    ...one('another credential', [
      `Authorization: Bearer ${accessKey}`,
      `Authorization: ${ingestionKey}`,
      `Authorization: Bearer ${ingestionKey}`,
      basic(`${accessKey}:${accessKey}`),
      basic(`${ingestionKey}:${ingestionKey}`),
      basic(`${keyId}:${accessKey}`),
      basic(`${keyId}:${ingestionKey}`),
    ]),
  ];
}

function truncated({ keyId, keySecret }: Target): Attack[] {
  const token = base64(`${keyId}:${keySecret}`);
  const cut = Array.from(
    { length: token.length },
    (_, length) => `Authorization: Basic ${token.slice(0, length)}`,
  );
  const bent = [
    `${token}=`,
    `=${token}`,
    `${token}==`,
    `${token}A`,
    `${token} `.trim() + ' x',
    token.replace(/^(.{10})/, '$1 '),
    token.replace(/^(.{10})/, '$1\t'),
    `${token}%3D`,
    encodeURIComponent(`${keyId}:${keySecret}`),
    Buffer.from(`${keyId}:${keySecret}`).toString('hex'),
    base64(token),
    [...token].toReversed().join(''),
    token.toLowerCase(),
    token.toUpperCase(),
  ];
  return [
    ...one('truncated', cut),
    ...one(
      'bent',
      bent.filter((text) => text !== token).map((text) => `Authorization: Basic ${text}`),
    ),
  ];
}

function almostRight({ keyId, keySecret }: Target): Attack[] {
  const other = (char: string): string => (char === 'A' ? 'B' : 'A');
  const flipped = Array.from(keySecret, (char, index) =>
    basic(`${keyId}:${keySecret.slice(0, index)}${other(char)}${keySecret.slice(index + 1)}`),
  );
  const flippedIds = Array.from(keyId, (char, index) =>
    basic(`${keyId.slice(0, index)}${other(char)}${keyId.slice(index + 1)}:${keySecret}`),
  );
  const cases = [
    `${keyId.toLowerCase()}:${keySecret}`,
    `${keyId.toUpperCase()}:${keySecret}`,
    `${keyId}:${keySecret.toLowerCase()}`,
    `${keyId}:${keySecret.toUpperCase()}`,
    `${keyId}:${[...keySecret].toReversed().join('')}`,
  ].filter((text) => text !== `${keyId}:${keySecret}`);
  return [
    ...one('flipped secret', flipped),
    ...one('flipped id', flippedIds),
    ...one('case', cases.map(basic)),
  ];
}

function controls({ keyId, keySecret }: Target): Attack[] {
  const marks = ['\0', '\n', '\r\n', '\t', '\b', '\u001b[0m', '\u007f', '\u0085'];
  const places = marks.flatMap((mark) => [
    `${mark}${keyId}:${keySecret}`,
    `${keyId}${mark}:${keySecret}`,
    `${keyId}:${mark}${keySecret}`,
    `${keyId}:${keySecret}${mark}`,
    `${keyId}:${keySecret}${mark}x`,
  ]);
  return [
    ...one('control', places.map(basic)),
    ...one(
      'raw control',
      ['\0', '\u0001', '\u000b', '\u001f', '\u007f'].map(
        (mark) => `Authorization: Basic ${base64(`${keyId}:${keySecret}`)}${mark}`,
      ),
    ),
  ];
}

function unicode({ keyId, keySecret }: Target): Attack[] {
  const wide = (text: string): string =>
    text.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0));
  const invisible = [
    '\u200b',
    '\u200d',
    '\ufeff',
    '\u2060',
    '\u00ad',
    '\u202e',
    '\u0301',
    '\u{e0041}',
    '\u180e',
  ];
  const texts = [
    ...invisible.flatMap((mark) => [
      `${mark}${keyId}:${keySecret}`,
      `${keyId}:${keySecret}${mark}`,
      `${keyId}${mark}:${keySecret}`,
    ]),
    `${wide(keyId)}:${keySecret}`,
    `${keyId}:${wide(keySecret)}`,
    `${keyId}：${keySecret}`,
    `${keyId}\u02d0${keySecret}`,
    '😀:😀',
    `${keyId}:${'🦊'.repeat(20)}`,
    'ﬁ:ﬁ',
    '\u212a:\u212a',
  ];
  const bytes = [
    [0xff],
    [0xc0, 0x80],
    [0xed, 0xa0, 0x80],
    [0xf5, 0x80, 0x80, 0x80],
    [0xe2, 0x82],
  ].map((tail) => Buffer.concat([Buffer.from(`${keyId}:${keySecret}`), Buffer.from(tail)]));
  const utf16 = Buffer.from(`${keyId}:${keySecret}`, 'utf16le');
  return one(
    'unicode',
    [...texts, ...bytes, utf16].map((text) => basic(text)),
  );
}

function lengths({ keyId, keySecret }: Target): Attack[] {
  return one(
    'long',
    [100, 1000, 2000, 3000, 8000, 15_000, 20_000, 60_000].flatMap((length) => [
      basic(`${keyId}:${keySecret}${'x'.repeat(length)}`),
      basic(`${'x'.repeat(length)}:${keySecret}`),
      `Authorization: Basic ${'A'.repeat(length)}`,
      `Authorization: ${' '.repeat(length)}x`,
    ]),
  );
}

function parts({ keyId, keySecret }: Target): Attack[] {
  const hashes = ['base64', 'hex', 'base64url'] as const;
  const texts = [
    ':',
    '::',
    keyId,
    keySecret,
    `${keyId}:`,
    `:${keySecret}`,
    `${keyId}::${keySecret}`,
    `:${keyId}:${keySecret}`,
    `${keySecret}:${keyId}`,
    `${keyId}:${keyId}`,
    `${keySecret}:${keySecret}`,
    `${keyId}:${keySecret}:`,
    `${keyId}:${keySecret}:${keySecret}`,
    ` ${keyId}:${keySecret}`,
    `${keyId} :${keySecret}`,
    `${keyId}: ${keySecret}`,
    `${keyId}:${keySecret} `,
    `"${keyId}":"${keySecret}"`,
    `${keyId}:${keySecret.slice(4)}`,
    `${keyId}:${keySecret.slice(0, -4)}`,
    `${keyId.slice(-4)}:${keySecret}`,
    ...hashes.flatMap((encoding) => [
      `${keyId}:${sha256(keySecret).toString(encoding)}`,
      `${sha256(keyId).toString(encoding)}:${keySecret}`,
      `${sha256(keyId).toString(encoding)}:${sha256(keySecret).toString(encoding)}`,
    ]),
    'admin:admin',
    'root:',
    'null:null',
    'undefined:undefined',
    'true:true',
    '0:0',
    `${keyId}:null`,
    `${keyId}:undefined`,
    `${keyId}:*`,
    `${keyId}:%`,
    '*:*',
    '%:%',
  ];
  return one('part', texts.map(basic));
}

function lists({ keyId, keySecret }: Target): Attack[] {
  const good = basic(`${keyId}:${keySecret}`);
  const value = good.slice('Authorization: '.length);
  const bad = basic('nobody:nothing');
  const pairs = [
    [good, good],
    [good, bad],
    [bad, good],
    [good, 'authorization: '],
    ['AUTHORIZATION:', good],
    [good, `authorization: ${value}`],
    [good, bad, good],
  ];
  const commas = [
    `${value}, ${value}`,
    `${value},`,
    `, ${value}`,
    `${value}; charset=utf-8`,
    `${value} , Bearer x`,
    `Bearer x, ${value}`,
    `Basic x ${value}`,
    `${value}\tx`,
    `"${value}"`,
    `[${value}]`,
    `{"Basic":"${value}"}`,
  ];
  return [
    ...pairs.map((lines, index) => ({ name: `two headers ${index}`, lines })),
    ...one(
      'list',
      commas.map((text) => `Authorization: ${text}`),
    ),
  ];
}

/** The right credential in the wrong place. */
function elsewhere({ keyId, keySecret }: Target): Attack[] {
  const token = base64(`${keyId}:${keySecret}`);
  const names = [
    'Proxy-Authorization',
    'X-Authorization',
    'X-Forwarded-Authorization',
    'Authentication',
    'Authorisation',
    'X-Original-Authorization',
    'Cookie',
    'WWW-Authenticate',
    'X-Amz-Security-Token',
    'X-Auth-Request-Access-Token',
    'Authorization-',
    'Authorization_',
  ];
  const people = [
    'X-Forwarded-User: admin',
    'X-Remote-User: admin',
    'Remote-User: admin',
    'X-Api-Key: ' + keySecret,
    `X-Key-Id: ${keyId}`,
    `Cookie: key=${token}; authorization=Basic ${token}`,
    'X-Internal: true',
    'X-Original-URL: /health',
    'X-Rewrite-URL: /v1/openapi.json',
    'X-HTTP-Method-Override: OPTIONS',
    'Forwarded: for=127.0.0.1;by=127.0.0.1',
    'X-Forwarded-For: 127.0.0.1',
    'X-Real-IP: 127.0.0.1',
    'Via: 1.1 localhost',
    'Upgrade: websocket',
    'Expect: 100-continue',
    'From: admin@sightline.local',
  ];
  return one('elsewhere', [...names.map((name) => `${name}: Basic ${token}`), ...people]);
}

function injections({ keyId, keySecret }: Target): Attack[] {
  const texts = [
    "' OR '1'='1",
    "' OR 1=1 --",
    "'; DROP TABLE organization_keys; --",
    '" OR ""="',
    "admin'--",
    '1 UNION SELECT * FROM organization_keys',
    '${jndi:ldap://127.0.0.1/x}',
    '{{7*7}}',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '../../etc/passwd',
    '%00',
    '%27%20OR%201=1',
    '$where',
    '{"$ne":null}',
    '[object Object]',
    '*)(uid=*',
    '<script>',
    '\\',
    "\\'",
    '\u2019 OR 1=1',
    'NaN',
    '-1',
    '1e309',
  ];
  return one(
    'injection',
    texts.flatMap((text) => [basic(`${text}:${keySecret}`), basic(`${keyId}:${text}`)]),
  );
}

/** The same bytes on every run. */
function noise(): Attack[] {
  return Array.from({ length: 60 }, (_, index) => {
    const bytes = Buffer.concat([sha256(`a${index}`), sha256(`b${index}`)]).subarray(0, 1 + index);
    return {
      name: `noise ${index}`,
      lines: [
        index % 2 === 0 ? basic(bytes) : `Authorization: Basic ${bytes.toString('base64url')}`,
      ],
    };
  });
}
