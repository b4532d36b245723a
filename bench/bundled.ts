import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

/**
 * The script as the program itself is built (scripts/build.mjs): what a server costs is measured on
 * what is shipped, not on what the loader of a test makes of it.
 */
export async function bundled(script: string): Promise<string> {
  const directory = join('node_modules', '.cache', 'sightline-bench');
  mkdirSync(directory, { recursive: true });
  const outfile = join(directory, basename(script).replace(/\.ts$/, '.mjs'));
  await build({
    entryPoints: [script],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'warning',
  });
  return outfile;
}
