import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTypes, { astToString } from 'openapi-typescript';
import { openapiDocument } from '../src/http/openapi/document.ts';
import { managedDescription } from '../src/http/surfaces/managed.ts';
import { openDescription } from '../src/http/surfaces/open.ts';
import { configPage } from './config-page.ts';

/**
 * Writes every generated file of the repository, or with --check says which is stale and exits 1. A
 * generated file is a pure function of the source: nothing is started.
 */
const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const files: { path: string; make: () => string | Promise<string> }[] = [
  { path: 'docs/config.md', make: configPage },
  { path: 'docs/openapi/open-source.json', make: () => json(openapiDocument(openDescription)) },
  { path: 'docs/openapi/managed.json', make: () => json(openapiDocument(managedDescription)) },
  { path: 'web/src/api/generated/open.d.ts', make: () => clientTypes(openDescription) },
  { path: 'web/src/api/generated/managed.d.ts', make: () => clientTypes(managedDescription) },
];

const check = process.argv.includes('--check');
const stale: string[] = [];
for (const { path, make } of files) {
  const wanted = await make();
  const target = join(root, path);
  if (read(target) === wanted) {
    continue;
  }
  stale.push(path);
  if (check) {
    continue;
  }
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, wanted);
}
console.log(
  stale.length === 0
    ? `${files.length} generated files are fresh`
    : `${check ? 'Stale (run npm run generate)' : 'Written'}: ${stale.join(', ')}`,
);
if (check && stale.length > 0) {
  process.exitCode = 1;
}

/** Types of the web interface's client. */
async function clientTypes(description: typeof openDescription): Promise<string> {
  const document: unknown = JSON.parse(json(openapiDocument(description)));
  const header = `// Generated from docs/openapi/${description.name}.json by \`npm run generate\`.\n`;
  return header + astToString(await openapiTypes(document as Parameters<typeof openapiTypes>[0]));
}

function json(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
