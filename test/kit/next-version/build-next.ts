import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';

const project = join(import.meta.dirname, '../../..');
export const nextVersion = '99.0.0';

/**
 * A program of the next version: the present sources, with more steps in the lists of migrations,
 * and another version. Gives the file to start.
 * @param steps `contract` has a step that older processes do not survive
 */
export async function buildNextVersion(steps: 'expand' | 'contract'): Promise<string> {
  const folder = join(project, 'node_modules/.cache/sightline-next', steps);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await build({
    absWorkingDir: project,
    entryPoints: { main: 'src/main.ts', 'encode-worker': 'src/http/otlp/encode-worker.ts' },
    outdir: join(folder, 'dist'),
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'warning',
    plugins: [withSteps(steps)],
  });
  symlinkSync(join(project, 'dist/web'), join(folder, 'dist/web'));
  cpSync(join(project, 'bin'), join(folder, 'bin'), { recursive: true });
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ type: 'module', version: nextVersion }),
  );
  return join(folder, 'bin/sightline.cjs');
}

/** The lists of this folder take the place of the present ones, which they import themselves. */
function withSteps(steps: 'expand' | 'contract'): Plugin {
  const adapters = join(project, 'src/adapters');
  const lists = new Map([
    [join(adapters, 'store/migrations/index.ts'), join(import.meta.dirname, `store-${steps}.ts`)],
    [join(adapters, 'telemetry/migrations.ts'), join(import.meta.dirname, 'telemetry-expand.ts')],
  ]);
  return {
    name: 'steps of the next version',
    setup: ({ onResolve }) => {
      onResolve({ filter: /migrations/ }, ({ path, importer, resolveDir }) => {
        const list = lists.get(resolve(resolveDir, path));
        return list === undefined || dirname(importer) === import.meta.dirname
          ? undefined
          : { path: list };
      });
    },
  };
}
