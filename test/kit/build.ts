import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Vitest's global setup: suites that start the program start what is in the sources now. */
export default function build(): void {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url))], { stdio: 'inherit' });
}
