import { readFileSync } from 'node:fs';
import { runCommandLine } from './cli/command-line.ts';

const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };
await runCommandLine(process.argv, process.env, version);
