import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type ApiKit } from '../kit/api.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const tools = join(root, '.cache', 'clients');
const npmTool = (name: string): string => join(tools, 'npm', 'node_modules', '.bin', name);
const python = join(tools, 'python', 'bin', 'python');
const pythonGenerator = join(tools, 'python', 'bin', 'openapi-python-client');
const goGenerator = join(tools, 'go', 'bin', 'oapi-codegen');
const documentOf = (name: string): string => join(root, 'docs', 'openapi', `${name}.json`);
const programOf = (name: string): string => join(root, 'test', 'clients', name);

const javaGenerator = join(tools, 'java', 'openapi-generator-cli-7.16.0.jar');
/** Libraries of the generated Java client. */
const javaLibraries = join(tools, 'java', 'lib');

/** A link to the Go command that the script found or installed. */
const go = join(tools, 'go', 'bin', 'go');

/** For `describe.skipIf`: missing generators fail in CI and skip elsewhere. */
function generatorsMissing(): boolean {
  const generators = [
    npmTool('openapi-typescript'),
    pythonGenerator,
    goGenerator,
    go,
    javaGenerator,
    javaLibraries,
  ];
  if (generators.every(existsSync)) {
    return false;
  }
  const hint = 'client generators were not found: run scripts/client-generators.sh';
  if (process.env['CI']) {
    throw new Error(hint);
  }
  console.log(`skipped: ${hint}`);
  return true;
}

describe.skipIf(generatorsMissing())('clients generated from the OpenAPI documents', () => {
  let api: ApiKit;
  let folder: string;
  beforeAll(async () => {
    api = await startApi();
    folder = mkdtempSync(join(tmpdir(), 'sightline-clients-'));
  });
  afterAll(async () => {
    await api?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const environment = (): NodeJS.ProcessEnv => ({
    ...process.env,
    BASE_URL: `${api.url}/api/v2`,
    ACCESS_KEY: api.accessKey,
  });
  const folderOf = (name: string): string => {
    const path = join(folder, name);
    mkdirSync(path, { recursive: true });
    return path;
  };

  it('TypeScript: both documents compile; create, list, update and delete work', async () => {
    const cwd = folderOf('typescript');
    const compiler = npmTool('tsc');
    for (const name of ['open-source', 'managed']) {
      const target = name === 'managed' ? 'managed.ts' : 'sightline.ts';
      const options = ['--default-non-nullable=false', '-o', join(cwd, target)];
      await run(npmTool('openapi-typescript'), [documentOf(name), ...options]);
    }
    copyFileSync(programOf('crud.ts.txt'), join(cwd, 'crud.ts'));
    writeFileSync(join(cwd, 'package.json'), '{"type":"module"}');
    await run('ln', ['-s', join(tools, 'npm', 'node_modules'), 'node_modules'], { cwd });
    const options = '--strict --target es2022 --module nodenext --skipLibCheck --types node';
    await run(compiler, [...options.split(' '), 'crud.ts', 'managed.ts'], { cwd });
    const { stdout } = await run(process.execPath, ['crud.js'], { cwd, env: environment() });
    expect(stdout).toBe('ok\n');
  });

  it('Python: both documents are whole; create, list, update and delete work', async () => {
    const cwd = folderOf('python');
    for (const [name, target] of [
      ['open-source', 'sightline_client'],
      ['managed', 'managed_client'],
    ] as const) {
      const { stdout, stderr } = await run(
        pythonGenerator,
        ['generate', '--path', documentOf(name), '--output-path', target, '--meta', 'none'],
        {
          cwd,
          env: { ...process.env, PATH: `${join(tools, 'python', 'bin')}:${process.env['PATH']}` },
        },
      );
      expect(stdout + stderr).not.toMatch(/unable|fail|removal|warning/i);
      const imports = [
        'import importlib, pkgutil, sys',
        `package = importlib.import_module("${target}")`,
        'for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):',
        '    importlib.import_module(module.name)',
      ];
      await run(python, ['-c', imports.join('\n')], { cwd });
    }
    copyFileSync(programOf('crud.py'), join(cwd, 'crud.py'));
    const { stdout } = await run(python, ['crud.py'], { cwd, env: environment() });
    expect(stdout).toBe('ok\n');
  });

  it('Go: both documents compile; create, list, update and delete work', async () => {
    const cwd = folderOf('go');
    for (const [name, target] of [
      ['open-source', 'sightline'],
      ['managed', 'managed'],
    ] as const) {
      mkdirSync(join(cwd, target));
      const output = join(target, 'client.go');
      const options = ['-generate', 'types,client', '-package', target, '-o', output];
      await run(goGenerator, [...options, documentOf(name)], { cwd });
    }
    for (const name of ['crud.go', 'go.mod', 'go.sum']) {
      copyFileSync(programOf(name), join(cwd, name));
    }
    const env = { ...environment(), GOFLAGS: '-mod=mod -buildvcs=false' };
    await run(go, ['vet', './...'], { cwd, env });
    const { stdout } = await run(go, ['run', '.'], { cwd, env });
    expect(stdout).toBe('ok\n');
  });

  it('Java: both documents compile; create, list, update and delete work', async () => {
    const cwd = folderOf('java');
    const only =
      'apis,models,supportingFiles,apiTests=false,modelTests=false,apiDocs=false,modelDocs=false';
    for (const name of ['managed', 'open-source']) {
      const options = ['-g', 'java', '-i', documentOf(name), '-o', name, '--global-property', only];
      await run('java', ['-jar', javaGenerator, 'generate', ...options], {
        cwd,
        maxBuffer: 2 ** 26,
      });
      const { stdout } = await run('find', [join(name, 'src', 'main'), '-name', '*.java'], { cwd });
      writeFileSync(join(cwd, `${name}.files`), stdout);
      const compiler = ['-nowarn', '-proc:none', '-cp', `${javaLibraries}/*`];
      await run('javac', [...compiler, '-d', `${name}.classes`, `@${name}.files`], { cwd });
    }
    copyFileSync(programOf('Crud.java.txt'), join(cwd, 'Crud.java'));
    const classPath = `open-source.classes:${javaLibraries}/*`;
    await run('javac', ['-cp', classPath, '-d', 'open-source.classes', 'Crud.java'], { cwd });
    const { stdout } = await run('java', ['-cp', classPath, 'Crud'], { cwd, env: environment() });
    expect(stdout).toBe('ok\n');
  });

  it.each(['open-source', 'managed'])(
    'the document %s passes Redocly and Spectral',
    async (name) => {
      await run(npmTool('redocly'), ['lint', '--extends=recommended', documentOf(name)]);
      const rules = join(folder, 'spectral.yaml');
      writeFileSync(rules, 'extends: ["spectral:oas"]\n');
      await run(npmTool('spectral'), [
        'lint',
        '--fail-severity=error',
        '--ruleset',
        rules,
        documentOf(name),
      ]);
    },
  );
});
