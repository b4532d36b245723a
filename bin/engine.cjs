// The telemetry engine's own process. The library that the package `chdb` ships holds the whole
// ClickHouse server; this program calls its command line, which starts the HTTP listener named in
// the configuration and then runs until it is killed. Arguments are passed on unchanged.
'use strict';
const { createRequire } = require('node:module');
const { dirname, join } = require('node:path');
const { DataType, load, open } = require('ffi-rs');

const libraries = {
  'darwin-arm64': '@chdb/lib-darwin-arm64',
  'darwin-x64': '@chdb/lib-darwin-x64',
  'linux-arm64': '@chdb/lib-linux-arm64-gnu',
  'linux-x64': '@chdb/lib-linux-x64-gnu',
};

const platform = `${process.platform}-${process.arch}`;
const library = libraries[platform];
if (library === undefined) {
  process.stderr.write(`The telemetry engine does not run on ${platform}.\n`);
  process.exit(3);
}

// The pipe ends when the parent ends, however it ends. The engine has no stop of its own here, and
// survives being killed: nothing acknowledged is only in memory.
process.stdin.resume().on('end', () => process.kill(process.pid, 'SIGKILL'));

const fromChdb = createRequire(require.resolve('chdb/package.json'));
open({
  library: 'chdb',
  path: join(dirname(fromChdb.resolve(`${library}/package.json`)), 'libchdb.so'),
});
const args = ['clickhouse', ...process.argv.slice(2)];
// On a thread of its own: called on the main one, nothing could notice that the parent is gone.
load({
  library: 'chdb',
  funcName: 'chdb_query_cmdline',
  retType: DataType.External,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [args.length, args],
  runInNewThread: true,
}).then(
  () => process.exit(4),
  (error) => {
    process.stderr.write(`${error}\n`);
    process.exit(3);
  },
);
