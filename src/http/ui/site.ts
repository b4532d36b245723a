import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { countAs } from '../traffic.ts';
import type { SiteFile, SiteFiles } from './site-files.ts';

/** The part of a listener that answers the files of the web interface. */
export interface Site {
  /** Answers a request that is none of an API; false if it is for no page and no file. */
  answer(request: FastifyRequest, reply: FastifyReply, path: string): boolean;
}

/** The longest path of a page; longer ones are a 404. */
const pathMax = 4000;

/** The interface over its built files. Undefined files: a page that says what to do. */
export function createSite(site: SiteFiles | undefined): Site {
  return {
    answer({ method, headers }, reply, path) {
      if (method !== 'GET' && method !== 'HEAD') {
        return false;
      }
      const file = site?.files.get(path);
      if (file) {
        countAs(reply.raw, file.immutable ? '/assets/*' : path);
        sendFile(reply, file, headers);
        return true;
      }
      if (path.includes('.') || path.length > pathMax) {
        return false;
      }
      countAs(reply.raw, '/*');
      sendPage(reply, site);
      return true;
    },
  };
}

function sendPage(reply: FastifyReply, site: SiteFiles | undefined): void {
  const nonce = randomBytes(16).toString('base64');
  reply.headers({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': pagePolicy(nonce),
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  });
  if (site) {
    void reply.send(site.html.replaceAll('__NONCE__', nonce));
  } else {
    void reply.code(503).header('retry-after', '5').send(notBuilt);
  }
}

/** Scripts of this origin only; a style needs the nonce; no text becomes a script. */
function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

function sendFile(
  reply: FastifyReply,
  file: SiteFile,
  { 'accept-encoding': accepted, 'if-none-match': known }: FastifyRequest['headers'],
): void {
  reply.headers({
    'content-type': file.type,
    'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: file.etag,
    vary: 'Accept-Encoding',
  });
  if (known !== undefined && known.split(/\s*,\s*/).includes(file.etag)) {
    void reply.code(304).send();
    return;
  }
  const coding = codingOf(file, String(accepted ?? ''));
  const encoded = coding && file.encoded.get(coding);
  if (encoded) {
    reply.header('content-encoding', coding);
  }
  void reply.send(encoded ?? file.plain);
}

/** The smallest encoding that the browser accepts. */
function codingOf({ encoded }: SiteFile, accepted: string): 'br' | 'gzip' | undefined {
  const wanted = accepted
    .toLowerCase()
    .split(',')
    .map((part) => part.trim())
    .filter((part) => !/;\s*q=0(?:\.0*)?$/.test(part))
    .map((part) => part.split(';', 1)[0]?.trim());
  return (['br', 'gzip'] as const).find((coding) => encoded.has(coding) && wanted.includes(coding));
}

const notBuilt = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sightline</title></head><body>
<h1>The web interface is not built.</h1>
<p>Run <code>npm run build</code>, then restart the server. The API on this port works without it.</p>
</body></html>
`;
