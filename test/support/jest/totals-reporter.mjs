import { writeFileSync } from 'node:fs';

/** Leaves jest's counts in the file that `TEST_TOTALS_FILE` names, for `run-tests.mjs` to print last. */
export default class TotalsReporter {
  onRunComplete(_contexts, results) {
    if (!process.env.TEST_TOTALS_FILE) return;
    const totals = {
      passed: results.numPassedTests,
      // A suite that could not even be loaded has no failed test of its own.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    };
    writeFileSync(process.env.TEST_TOTALS_FILE, JSON.stringify(totals));
  }
}
