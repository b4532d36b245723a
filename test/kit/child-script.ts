import { join } from 'node:path';
import { build } from 'esbuild';

const project = join(import.meta.dirname, '../..');
const folder = join(project, 'node_modules', '.cache', 'sightline-test');

/** What suites start as processes of their own. */
const scripts = {
  'alerting-telemetry': 'test/crash/alerting-telemetry.ts',
  'alerting-worker': 'test/crash/alerting-worker.ts',
  'encode-worker': 'src/http/otlp/encode-worker.ts',
  'intake-writer': 'test/crash/intake-writer.ts',
  'pipes-process': 'test/crash/pipes-process.ts',
  'merge-writer': 'test/crash/merge-writer.ts',
  'power-process': 'test/crash/power-process.ts',
  'server-process': 'test/robustness/server-process.ts',
  'store-writer': 'test/crash/store-writer.ts',
  'telemetry-writer': 'test/crash/telemetry-writer.ts',
} as const;

/** The file to start as a child process. Built before the suites, by test/kit/build.ts. */
export function childScript(name: keyof typeof scripts): string {
  return join(folder, `${name}.mjs`);
}

/**
 * Each script with all that it takes, packages too, as JavaScript: a process that is started to be
 * killed is up in a fifth of the CPU time that a loader of TypeScript and thousands of files need.
 * Packages with a binary, and those that start threads from files of theirs, stay outside.
 */
export async function buildChildScripts(): Promise<void> {
  await build({
    absWorkingDir: project,
    entryPoints: { ...scripts },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'warning',
    external: [
      'libsql',
      'ffi-rs',
      'snappy',
      'lz4-napi',
      '@bokuweb/zstd-wasm',
      'pg-native',
      'pino',
      'esbuild',
    ],
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);",
    },
  });
}
