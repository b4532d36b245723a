import { existsSync, readFileSync } from 'node:fs';

/**
 * One closing line for all suites. A skipped test is a failure here: in CI every peer is present.
 * The exception are tests that mount a file system, if the kernel of the machine offers no loop
 * devices: no package can add them. They are counted apart.
 */
const needsMount = /(?:power-cut|start-errors|stop\.slow)\.test\.ts$/;
const canMount = process.getuid?.() === 0 && existsSync('/dev/loop-control');
let unmountable = 0;
const passedAlone = [];
const skipped = [];
const totals = { passed: 0, failed: 0, skipped: 0 };
for (const path of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(path, 'utf8'));
  totals.passed += report.numPassedTests;
  totals.failed +=
    report.numFailedTests +
    report.testResults.filter(
      (file) => file.status === 'failed' && file.assertionResults.length === 0,
    ).length;
  totals.skipped += report.numPendingTests;
  passedAlone.push(...(report.passedAlone ?? []));
  for (const { name, assertionResults } of report.testResults) {
    const left = assertionResults.filter(({ status }) => ['pending', 'skipped'].includes(status));
    if (!canMount && needsMount.test(name)) {
      unmountable += left.length;
    } else {
      skipped.push(...left.map(({ fullName }) => fullName));
    }
  }
}
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
for (const name of passedAlone) {
  console.log(`failed beside another file, passed alone: ${name}`);
}
for (const name of skipped) {
  console.log(`skipped: ${name}`);
}
if (unmountable > 0) {
  console.log(`of these, ${unmountable} need loop devices, which this machine does not have`);
}
process.exitCode = totals.failed + totals.skipped - unmountable > 0 || totals.passed === 0 ? 1 : 0;
