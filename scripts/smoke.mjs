import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The program as a new user starts it: `npm run demo` on free ports and an empty directory, then
 * the two curl lines it prints, run by a shell as pasted. Ends with SIGTERM.
 */
const dataDir = mkdtempSync(join(tmpdir(), 'sightline-smoke-'));
const child = spawn('npm', ['run', '-s', 'demo'], {
  env: {
    ...process.env,
    SIGHTLINE_DATA_DIR: dataDir,
    SIGHTLINE_API_PORT: '0',
    SIGHTLINE_OTLP_HTTP_PORT: '0',
    SIGHTLINE_OTLP_GRPC_PORT: '0',
    SIGHTLINE_UI_PORT: '0',
    SIGHTLINE_LOG_LEVEL: 'warn',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
  detached: true,
});
let printed = '';
child.stdout.setEncoding('utf8').on('data', (text) => {
  printed += text;
  process.stdout.write(text);
});
const exited = new Promise((resolve) => {
  child.once('exit', (code, signal) => resolve({ code, signal }));
});

try {
  const commands = await until('the two curl lines', 90_000, () => {
    const lines = printed
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line.startsWith('curl '));
    return lines.length >= 2 ? lines : undefined;
  });
  for (const command of commands) {
    await until(`data from: ${command.slice(0, 60)}…`, 60_000, async () => {
      const answer = JSON.parse(await shell(command));
      return Array.isArray(answer.data) && answer.data.length > 0 ? answer : undefined;
    });
    console.log(`ok: ${command.slice(0, 80)}…`);
  }
} finally {
  process.kill(-child.pid, 'SIGTERM');
}
// npm itself dies of the signal; the program under it (its exit code is test/app's business) has to
// be gone in time.
await until('the program to end', 12_000, () => (groupIsGone() ? true : undefined));
await exited;
rmSync(dataDir, { recursive: true, force: true });
console.log('smoke: passed');

async function until(what, timeoutMs, probe) {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await probe();
    if (value !== undefined) {
      return value;
    }
    if (Date.now() > deadline) {
      throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
    }
    if (child.exitCode !== null && child.exitCode !== 0) {
      throw new Error(`the program ended (${child.exitCode}) before ${what}`);
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 250);
    });
  }
}

function groupIsGone() {
  try {
    process.kill(-child.pid, 0);
    return false;
  } catch {
    return true;
  }
}

function shell(command) {
  return new Promise((resolve, reject) => {
    const run = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    run.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    run.once('exit', (status) =>
      status === 0 ? resolve(text) : reject(new Error(`${command} exited with ${status}`)),
    );
  });
}
