import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * `node scripts/complete-lock.mjs [folder]`, after a change of packages. npm leaves optional packages
 * of other platforms out of the lockfile if the registry in use does not offer them, and `npm ci`
 * then refuses the file. Adds the missing packages, with the version that their dependent asks for
 * and the platform that their name says. Then asks the registry for the hashes that are missing.
 *
 * `--check` writes nothing and asks nobody. It fails unless every package without a hash is on the
 * list in `packages-without-hash.json`, with the reason, and none of them is installed on Linux x64.
 */
const args = process.argv.slice(2);
const isCheck = args.includes('--check');
const folder =
  args.find((arg) => !arg.startsWith('-')) ?? fileURLToPath(new URL('..', import.meta.url));
const lockPath = join(folder, 'package-lock.json');
const listPath = join(folder, 'scripts/packages-without-hash.json');
const lock = JSON.parse(readFileSync(lockPath, 'utf8'));
const list = JSON.parse(readFileSync(listPath, 'utf8'));
const { packages } = lock;

const systems = [
  'android',
  'darwin',
  'freebsd',
  'netbsd',
  'openbsd',
  'openharmony',
  'win32',
  'linux',
  'sunos',
  'aix',
];
const processors = [
  'arm64',
  'riscv64',
  'ppc64',
  's390x',
  'loong64',
  'mips64el',
  'ia32',
  'x64',
  'wasm32',
  'arm',
];
const parallelRequests = 4;

if (!isCheck) {
  const added = addOtherPlatforms();
  const { hashed, failures } = await addHashes();
  lock.packages = Object.fromEntries(
    Object.entries(packages).sort(([left], [right]) => (left < right ? -1 : 1)),
  );
  if (added > 0 || hashed > 0) {
    writeFileSync(lockPath, `${JSON.stringify(lock, null, 2)}\n`);
    shortenList();
  }
  console.log(`package-lock.json: ${added} optional packages of other platforms added`);
  console.log(`package-lock.json: ${hashed} hashes added, ${withoutHash().length} missing`);
  report(failures);
}
report(mistakes());

/** Ends with an error if there are lines. */
function report(lines) {
  if (lines.length > 0) {
    console.error(lines.join('\n'));
    process.exit(1);
  }
}

function addOtherPlatforms() {
  let added = 0;
  for (const [dependent, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const platform = platformOf(name);
      if (!/^\d/.test(version) || isLocked(dependent, name) || platform === undefined) {
        continue;
      }
      const { os, cpu, libc } = platform;
      packages[`node_modules/${name}`] = {
        version,
        ...(cpu && { cpu: [cpu] }),
        ...(dev && { dev }),
        ...(libc && { libc: [libc] }),
        optional: true,
        ...(os && { os: [os] }),
      };
      added++;
    }
  }
  return added;
}

function platformOf(name) {
  const words = name.split('/').at(-1).split('-');
  const os = systems.find((system) => words.includes(system));
  const cpu = processors.find((processor) => words.includes(processor));
  if (os === undefined && cpu === undefined) {
    return undefined;
  }
  const libc = [
    ['musl', 'musl'],
    ['gnu', 'glibc'],
  ].find(([prefix]) => words.some((word) => word.startsWith(prefix)))?.[1];
  return { os, cpu, libc };
}

/** As Node looks a package up: from the dependent's folder upwards. */
function isLocked(dependent, name) {
  for (
    let parent = dependent;
    ;
    parent = parent.slice(0, Math.max(0, parent.lastIndexOf('/node_modules/')))
  ) {
    if (packages[`${parent === '' ? '' : `${parent}/`}node_modules/${name}`]) {
      return true;
    }
    if (parent === '') {
      return false;
    }
  }
}

/** Paths in the lockfile of packages from a registry that have no hash. */
function withoutHash() {
  return Object.entries(packages)
    .filter(
      ([path, { integrity, link, inBundle }]) =>
        path.includes('node_modules/') && !link && !inBundle && integrity === undefined,
    )
    .map(([path]) => path);
}

function nameOf(path) {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

async function addHashes() {
  const waiting = withoutHash();
  const failures = [];
  let hashed = 0;
  const askAll = async () => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      try {
        const integrity = await hashOf(nameOf(path), packages[path].version);
        if (integrity !== undefined) {
          packages[path].integrity = integrity;
          hashed++;
        }
      } catch (error) {
        failures.push(`cannot ask the registry for ${nameOf(path)}: ${error.message}`);
      }
    }
  };
  await Promise.all(Array.from({ length: parallelRequests }, askAll));
  return { hashed, failures };
}

/** Undefined if the registry does not offer the package. */
async function hashOf(name, version) {
  try {
    const view = ['view', `${name}@${version}`, 'dist.integrity', '--json'];
    const { stdout } = await promisify(execFile)('npm', view);
    return stdout.trim() === '' ? undefined : JSON.parse(stdout);
  } catch (error) {
    if (/\bE404\b/.test(`${error.stdout}${error.stderr}`)) {
      return undefined;
    }
    throw error;
  }
}

/** Takes packages that have a hash now off the list. */
function shortenList() {
  const missing = new Set(withoutHash().map(nameOf));
  const kept = list
    .map((group) => ({ ...group, packages: group.packages.filter((name) => missing.has(name)) }))
    .filter((group) => group.packages.length > 0);
  list.splice(0, list.length, ...kept);
  writeFileSync(listPath, `${JSON.stringify(list, null, 2)}\n`);
}

function mistakes() {
  const listed = new Set(list.flatMap((group) => group.packages));
  const paths = withoutHash();
  const missing = new Set(paths.map(nameOf));
  return [
    ...paths
      .filter((path) => runsOnLinuxX64(packages[path]))
      .map((path) => `${path} is installed on Linux x64 and has no hash in package-lock.json`),
    ...[...missing]
      .filter((name) => !listed.has(name))
      .map(
        (name) =>
          `${name} has no hash in package-lock.json. Run node scripts/complete-lock.mjs. If the ` +
          'registry does not offer it, add it to scripts/packages-without-hash.json with the reason.',
      ),
    ...[...listed]
      .filter((name) => !missing.has(name))
      .map((name) => `${name} has a hash: remove it from scripts/packages-without-hash.json`),
    ...list
      .filter(({ reason }) => typeof reason !== 'string' || reason.trim() === '')
      .map((group) => `scripts/packages-without-hash.json: no reason for ${group.packages[0]}`),
  ];
}

/** The platform of the container image and of CI, with glibc. */
function runsOnLinuxX64({ os = ['linux'], cpu = ['x64'], libc = ['glibc'] }) {
  return os.includes('linux') && cpu.includes('x64') && libc.includes('glibc');
}
