import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { slowness } from '../hosts/watch/slowness.mjs';
import { nameOfSuite, SECONDS_FILE, SHORTEST_RECORDED } from './seconds.mjs';

/**
 * Writes jest's counts to the file that `TEST_TOTALS_FILE` names, for `run-tests.mjs` to print last. With
 * `TEST_RECORD=true` also renews the recorded seconds of the suites that ran.
 */
export default class TotalsReporter {
  constructor(globalConfig) {
    this.root = globalConfig.rootDir;
    this.seconds = {};
  }

  onTestResult({ path, context }, { perfStats }) {
    const name = nameOfSuite(context.config.displayName.name, relative(this.root, path));
    this.seconds[name] = Math.round(perfStats.runtime / 1_000);
  }

  onRunComplete(_contexts, results) {
    if (process.env.TEST_RECORD === 'true') this.record();
    if (!process.env.TEST_TOTALS_FILE) return;
    const totals = {
      passed: results.numPassedTests,
      // A suite that could not be loaded has no failed test.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    };
    writeFileSync(process.env.TEST_TOTALS_FILE, JSON.stringify(totals));
  }

  record() {
    const before = JSON.parse(readFileSync(SECONDS_FILE, 'utf8'));
    const factor = slowness();
    const ordinary = Object.entries(this.seconds).map(([name, seconds]) => [name, Math.round(seconds / factor)]);
    const all = Object.entries({ ...before, ...Object.fromEntries(ordinary) })
      .filter(([, seconds]) => seconds >= SHORTEST_RECORDED)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    writeFileSync(SECONDS_FILE, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
  }
}
