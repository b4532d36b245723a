import { readFileSync } from 'node:fs';
import { runCommandLine } from './cli/command-line.ts';

// Data, keys and temporary files are for their owner only, the engine's too.
process.umask(0o077);

const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };
await runCommandLine(process.argv, process.env, version);
