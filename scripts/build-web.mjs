import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const outdir = 'dist/web';
const stampFile = `${outdir}/.built-from`;
const sources = ['web/src', 'web/public', 'web/index.html', 'web/vite.config.ts'];
const others = ['package-lock.json', 'scripts/build-web.mjs'];
const compressible = /\.(?:css|js|svg)$/;
const compressMin = 1024;

/** Builds the web interface into `dist/web`, unless it was built from these very files. */
export async function buildWeb() {
  const stamp = await fingerprint();
  const built = await readFile(stampFile, 'utf8').catch(() => '');
  if (built === stamp) {
    return;
  }
  // Whoever runs this, such as a test: the libraries have their development form otherwise.
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  // Beside the old one, so that a server that starts meanwhile finds a whole interface.
  const fresh = `${outdir}-${process.pid}`;
  await build({
    configFile: 'web/vite.config.ts',
    logLevel: 'warn',
    build: { outDir: `../${fresh}`, emptyOutDir: true },
  });
  await compressAll(fresh);
  await writeFile(join(fresh, '.built-from'), stamp);
  await rm(outdir, { recursive: true, force: true });
  await rename(fresh, outdir);
}

/** Hash of every file that the interface is built from. */
async function fingerprint() {
  const hash = createHash('sha256');
  const files = await Promise.all(sources.map(filesIn));
  for (const path of [...files.flat().sort(), ...others]) {
    hash
      .update(path)
      .update('\0')
      .update(await readFile(path))
      .update('\0');
  }
  return hash.digest('hex');
}

async function filesIn(path) {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(
    () => undefined,
  );
  if (entries === undefined) {
    return [path];
  }
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** A `.br` and a `.gz` beside every text file. `index.html` is not one: it has a nonce. */
async function compressAll(directory) {
  const paths = (await filesIn(directory)).filter((path) => compressible.test(path));
  await Promise.all(
    paths.map(async (path) => {
      const content = await readFile(path);
      if (content.length < compressMin) {
        return;
      }
      const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
      const [br, gz] = await Promise.all([
        promisify(brotliCompress)(content, { params }),
        promisify(gzip)(content, { level: 9 }),
      ]);
      await writeFile(`${path}.br`, br);
      await writeFile(`${path}.gz`, gz);
    }),
  );
}
