import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/**
 * Runs the files of a report that failed once more, each alone. Two files share the machine in the
 * first run, and a browser or a crash that waits too long for the other fails there. What fails
 * alone too is a fault. The same goes for tests that did not end, because their process did. The
 * report is replaced with the second result, and `passedAlone` names the tests, so that the summary
 * shows them. Usage: node scripts/ci-again.mjs REPORT
 */
const filesMax = 6;
const path = process.argv[2];
const report = JSON.parse(readFileSync(path, 'utf8'));
const failed = report.testResults.filter(hasFailed);
if (failed.length === 0 || failed.length > filesMax) {
  console.log(`${failed.length} files failed. Only 1 to ${filesMax} are run again.`);
  process.exit(1);
}
report.passedAlone = [];
for (const first of failed) {
  const second = runAlone(relative(process.cwd(), first.name));
  if (second && !hasFailed(second)) {
    report.testResults[report.testResults.indexOf(first)] = second;
    report.passedAlone.push(...namesOfFailed(first));
  }
}
count(report);
writeFileSync(path, JSON.stringify(report));
process.exitCode = report.testResults.some(hasFailed) ? 1 : 0;

/** A test is pending if its process ended first. */
function hasFailed({ status, assertionResults }) {
  return status === 'failed' || assertionResults.some((test) => test.status === 'pending');
}

function runAlone(file) {
  console.log(`\nagain, alone: ${file}`);
  const directory = mkdtempSync(join(tmpdir(), 'again-'));
  const output = join(directory, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${output}`];
  spawnSync('npx', ['vitest', 'run', '--maxWorkers=1', ...reporters, file], { stdio: 'inherit' });
  try {
    return JSON.parse(readFileSync(output, 'utf8')).testResults[0];
  } catch {
    return undefined;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function namesOfFailed({ name, assertionResults }) {
  const tests = assertionResults.filter(({ status }) => ['failed', 'pending'].includes(status));
  return tests.length > 0 ? tests.map(({ fullName }) => fullName) : [name];
}

function count(whole) {
  const tests = whole.testResults.flatMap(({ assertionResults }) => assertionResults);
  const of = (...states) => tests.filter(({ status }) => states.includes(status)).length;
  whole.numPassedTests = of('passed');
  whole.numFailedTests = of('failed');
  whole.numPendingTests = of('pending', 'skipped');
}
