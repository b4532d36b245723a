import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { buildWeb } from './build-web.mjs';

const outdir = 'dist';
const keptMs = 24 * 3_600_000;

/**
 * One ESM bundle of our own code; packages stay in node_modules. About 100 ms, so `npm start` can
 * afford it every time.
 */
const { metafile } = await build({
  entryPoints: { main: 'src/main.ts', 'encode-worker': 'src/http/otlp/encode-worker.ts' },
  outdir,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  sourcemap: true,
  splitting: true,
  metafile: true,
  logLevel: 'warning',
});

await buildWeb();

// What earlier builds left goes, a day later: a process that was started from it may still load
// parts of it.
const current = new Set(Object.keys(metafile.outputs).map((path) => basename(path)));
for (const name of await readdir(outdir)) {
  const path = join(outdir, name);
  if (
    name !== 'web' &&
    !current.has(name) &&
    Date.now() - (await stat(path).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs > keptMs
  ) {
    await rm(path, { force: true, recursive: true });
  }
}
