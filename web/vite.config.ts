import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Packages of the first load, in one file that changes only with them. */
const framework = /node_modules\/(react|react-dom|scheduler|@tanstack)\//;
/** What both editors are made of. */
const codemirror = /node_modules\/(@codemirror|@lezer|@marijn|crelt|style-mod|w3c-keyname)\//;

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
        codeSplitting: {
          groups: [
            { name: 'framework', test: framework },
            { name: 'codemirror', test: codemirror },
          ],
        },
      },
    },
  },
});
