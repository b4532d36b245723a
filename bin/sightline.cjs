#!/usr/bin/env node
import('../dist/main.js').catch((error) => {
  if (
    error &&
    error.code === 'ERR_MODULE_NOT_FOUND' &&
    /dist.main\.js/.test(String(error.message))
  ) {
    console.error('sightline: not built yet. Run `npm run build` first.');
    process.exit(2);
  }
  throw error;
});
