import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';

/** One file of the interface in every encoding that the build made. */
export interface SiteFile {
  type: string;
  /** Quoted, as the header has it. */
  etag: string;
  /** Whether the name has the hash of the content, so that it never changes. */
  immutable: boolean;
  plain: Buffer;
  /** By content coding. */
  encoded: ReadonlyMap<'br' | 'gzip', Buffer>;
}

/** The built interface, in memory: a path that is no key of `files` reaches no file. */
export interface SiteFiles {
  /** With `__NONCE__` in place of the nonce. */
  html: string;
  /** By path, such as `/assets/main-a1b2c3.js`. */
  files: ReadonlyMap<string, SiteFile>;
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};
const codings = { '.br': 'br', '.gz': 'gzip' } as const;

/** Reads a built interface. Undefined: the directory has no `index.html`. */
export async function readSiteFiles(directory: string): Promise<SiteFiles | undefined> {
  const contents = await contentsOf(directory);
  const html = contents.get('/index.html');
  if (!html) {
    return undefined;
  }
  const files = new Map<string, SiteFile>();
  for (const [path, plain] of contents) {
    if (path !== '/index.html' && !(extname(path) in codings)) {
      files.set(path, siteFile(path, plain, contents));
    }
  }
  return { html: html.toString('utf8'), files };
}

async function contentsOf(directory: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') {
        return [];
      }
      throw error;
    },
  );
  const contents = new Map<string, Buffer>();
  for (const entry of entries) {
    if (entry.isFile()) {
      const name = join(entry.parentPath, entry.name);
      contents.set(name.slice(directory.length).replaceAll(sep, '/'), await readFile(name));
    }
  }
  return contents;
}

function siteFile(path: string, plain: Buffer, contents: ReadonlyMap<string, Buffer>): SiteFile {
  const encoded = new Map<'br' | 'gzip', Buffer>();
  for (const [ending, coding] of Object.entries(codings)) {
    const content = contents.get(path + ending);
    if (content) {
      encoded.set(coding, content);
    }
  }
  return {
    type: types[extname(path)] ?? 'application/octet-stream',
    etag: `"${hash('sha256', plain, 'base64url').slice(0, 22)}"`,
    immutable: path.startsWith('/assets/'),
    plain,
    encoded,
  };
}
