import { build } from 'esbuild';

/** One ESM bundle of our own code; packages stay in node_modules. About 100 ms, so `npm start` can afford it every time. */
await build({
  entryPoints: { main: 'src/main.ts' },
  outdir: 'dist',
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  sourcemap: true,
  splitting: true,
  logLevel: 'warning',
});
