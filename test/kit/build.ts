import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildChildScripts } from './child-script.ts';

/**
 * Vitest's global setup: suites that start the program, or a script of theirs, start what is in the
 * sources now.
 */
export default async function build(): Promise<void> {
  execFileSync(
    process.execPath,
    [fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url))],
    { stdio: 'inherit' },
  );
  await buildChildScripts();
}
