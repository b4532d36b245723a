#!/usr/bin/env node
// libuv reads its pool size at first use, which an ES module's own loading already is: so it is set here, before any.
// chDB holds a pool thread for as long as a query runs.
process.env.UV_THREADPOOL_SIZE ??= '24';
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
