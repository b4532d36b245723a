import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * The steps of the Dockerfile without a container engine: each stage is a clean directory, with the
 * node of this machine instead of the base image. Then starts the result, as the user of the image if
 * this runs as root, until the health check of the image passes. An instruction that it does not know
 * is an error. Usage: node scripts/image-steps.mjs [--linked]
 * `--linked`: where all packages are installed, takes those of this checkout, which `npm ci` has put
 * there. Saves half of the time.
 */
const project = join(import.meta.dirname, '..');
const isLinked = process.argv.includes('--linked');
const startMs = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'sightline-image-'));
chmodSync(folder, 0o755);
const stages = [];
const image = { environment: {}, user: undefined, entry: [], command: [], health: [] };
let stage;

/** A path of the stage, on this machine. */
const inStage = (path, of = stage) => join(of.root, resolve(of.directory, path));

const instructions = {
  FROM(text) {
    const [, base, name] = /^(\S+)(?: AS (\S+))?$/i.exec(text);
    say(`${base}: instead, node ${process.version} of this machine`);
    stage = { name, root: join(folder, name ?? 'image'), directory: '/' };
    stages.push(stage);
    mkdirSync(stage.root);
  },
  WORKDIR(text) {
    stage.directory = resolve(stage.directory, text);
    mkdirSync(inStage('.'), { recursive: true });
  },
  COPY(text) {
    const [, from, paths] = /^(?:--from=(\S+) )?(.*)$/.exec(text);
    const sources = paths.split(/\s+/);
    const target = sources.pop();
    const origin = from === undefined ? undefined : stages.find(({ name }) => name === from);
    for (const source of sources) {
      copy(origin ? inStage(source, origin) : join(project, source), target, Boolean(origin));
    }
  },
  RUN(text) {
    for (const command of text.split(' && ')) {
      runStep(command);
    }
  },
  ENV(text) {
    for (const pair of text.split(/\s+/)) {
      const [name, value] = pair.split('=');
      image.environment[name] = value.startsWith('/') ? inStage(value) : value;
    }
  },
  USER: (text) => say(`runs as ${text}, user ID ${image.user}`),
  VOLUME: (text) => statSync(inStage(text)),
  EXPOSE: () => {},
  HEALTHCHECK: (text) => (image.health = JSON.parse(/ CMD (.*)$/.exec(text)[1])),
  ENTRYPOINT: (text) => (image.entry = JSON.parse(text)),
  CMD: (text) => (image.command = JSON.parse(text)),
};

/** What would change this machine is done to the stage instead. */
function runStep(command) {
  say(command);
  const [program, ...words] = command.split(/\s+/);
  if (program === 'useradd') {
    image.user = Number(words[words.indexOf('--uid') + 1]);
  } else if (program === 'mkdir') {
    const mode = words[0] === '-m' ? { mode: parseInt(words[1], 8) } : {};
    mkdirSync(inStage(words.at(-1)), mode);
  } else if (program === 'chown') {
    asRoot(() => chownSync(inStage(words[1]), image.user, image.user));
  } else if (isLinked && /^npm ci(?! .*--omit)/.test(command)) {
    const installed = join(project, 'node_modules');
    // Nothing writes to installed packages, so links will do where the disk is the same.
    const isSameDisk = statSync(installed).dev === statSync(folder).dev;
    execFileSync('cp', [isSameDisk ? '-al' : '-a', installed, inStage('node_modules')]);
  } else {
    execFileSync('sh', ['-c', command], {
      cwd: inStage('.'),
      env: { ...outside, npm_config_prefer_offline: 'true' },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  }
}

function copy(source, target, isOfStage) {
  const isFolder = statSync(source).isDirectory();
  const into = isFolder || !/(?:^\.|\/)$/.test(target) ? target : join(target, basename(source));
  const to = inStage(into);
  if (!isFolder) {
    cpSync(source, to);
  } else if (isOfStage) {
    // Faster than a copy. If the stage were used again, the folder would be missed.
    renameSync(source, to);
  } else {
    mkdirSync(to, { recursive: true });
    for (const name of readdirSync(source)) {
      cpSync(join(source, name), join(to, name), { recursive: true, filter: isSent });
    }
  }
}

/** As .dockerignore has it. */
const ignored = readFileSync(join(project, '.dockerignore'), 'utf8').split('\n').filter(Boolean);
function isSent(path) {
  return !ignored.some((pattern) =>
    pattern.startsWith('**/')
      ? basename(path) === pattern.slice(3)
      : path === join(project, pattern),
  );
}

const outside = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(?:SIGHTLINE_|NODE_|npm_(?!config_))/.test(name),
  ),
);

function asRoot(work) {
  if (process.getuid() === 0) {
    work();
  }
}

/** Starts it on free ports, waits for its health check, and stops it. */
async function startImage() {
  const ports = ['API', 'UI', 'OTLP_HTTP', 'OTLP_GRPC'];
  const free = Object.fromEntries(ports.map((name) => [`SIGHTLINE_${name}_PORT`, '0']));
  const env = { PATH: process.env.PATH, ...image.environment, ...free };
  const user = process.getuid() === 0 ? { uid: image.user, gid: image.user } : {};
  const [program, ...args] = [...image.entry, ...image.command];
  const child = spawn(program, args, {
    cwd: inStage('.'),
    env,
    ...user,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (printed += text));
  const ended = new Promise((done) => child.once('exit', (code) => done(code)));
  try {
    await until('the health check', () => {
      const port = /REST API +http:\/\/[^/]*:(\d+)\//.exec(printed)?.[1];
      const [check, ...words] = image.health.map((word) => word.replace(':8000', `:${port}`));
      return port !== undefined && spawnSync(check, words, { env }).status === 0;
    });
    say('healthy');
  } finally {
    child.kill('SIGTERM');
  }
  const code = await Promise.race([ended, pause(15_000, 'no exit within 15 s', { ref: false })]);
  if (code !== 0) {
    child.kill('SIGKILL');
    throw new Error(`the stop failed: ${code}`);
  }

  async function until(what, probe) {
    const deadline = Date.now() + 60_000;
    while (!(await probe())) {
      if (child.exitCode !== null || Date.now() > deadline) {
        throw new Error(`waited in vain for ${what}:\n${printed}`);
      }
      await pause(250);
    }
  }
}

function say(text) {
  console.log(`${((performance.now() - startMs) / 1000).toFixed(1).padStart(5)} s  ${text}`);
}

try {
  const lines = readFileSync(join(project, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
  for (const line of lines.split('\n').filter((text) => text !== '' && !text.startsWith('#'))) {
    const [, name, text] = /^(\S+)\s+(.*)$/.exec(line);
    if (!(name in instructions)) {
      throw new Error(`the Dockerfile has an instruction that this script does not know: ${line}`);
    }
    instructions[name](text);
  }
  await startImage();
  say('image steps: passed');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
