import { readFileSync } from 'node:fs';

/**
 * One closing line for all suites. A skipped test is a failure here: in CI every peer is present.
 */
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
}
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = totals.failed + totals.skipped > 0 || totals.passed === 0 ? 1 : 0;
