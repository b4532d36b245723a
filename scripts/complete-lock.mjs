import { readFileSync, writeFileSync } from 'node:fs';

/**
 * npm leaves optional packages of other platforms out of the lockfile when the registry in use does
 * not carry them, and `npm ci` then refuses the file. Run after a change of packages: adds what is
 * missing, with the version its dependent asks for and the platform its name says.
 */
const path = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(path, 'utf8'));
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

let added = 0;
for (const [dependent, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (!/^\d/.test(version) || isLocked(dependent, name)) {
      continue;
    }
    const words = name.split('/').at(-1).split('-');
    const os = systems.find((system) => words.includes(system));
    const cpu = processors.find((processor) => words.includes(processor));
    if (os === undefined && cpu === undefined) {
      continue;
    }
    const libc = [
      ['musl', 'musl'],
      ['gnu', 'glibc'],
    ].find(([prefix]) => words.some((word) => word.startsWith(prefix)))?.[1];
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
lock.packages = Object.fromEntries(
  Object.entries(packages).sort(([left], [right]) => (left < right ? -1 : 1)),
);
if (added > 0) {
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
}
console.log(`${added} optional packages of other platforms added to package-lock.json`);

/** As Node looks a package up: from the dependent's folder upwards. */
function isLocked(dependent, name) {
  for (
    let folder = dependent;
    ;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))
  ) {
    if (packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`]) {
      return true;
    }
    if (folder === '') {
      return false;
    }
  }
}
