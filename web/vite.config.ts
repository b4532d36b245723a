import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Packages of the first load, in one file that changes only with them. */
const framework = /node_modules\/(react|react-dom|scheduler|@tanstack)\//;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    target: 'es2023',
    outDir: '../dist/web',
    emptyOutDir: true,
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    sourcemap: false,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: 'framework', test: framework }] },
      },
    },
  },
});
