import { files, share } from './files.mjs';

const LEFT_OUT = ['docs', 'libs/*/dist', 'libs/*/api', 'apps', 'screenshots', '.data', '.verify', '.ci'];

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate: files.map((name) => `libs/*/src/**/${name}`),
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  jest: { projectType: 'custom', configFile: 'test/stryker/jest.config.js', enableFindRelatedTests: false },
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  // Node 20 keeps the modules of every run.
  maxTestRunnerReuse: 100,
  coverageAnalysis: 'perTest',
  concurrency: 2,
  // Jest compiles nothing below `node_modules`.
  tempDirName: '.stryker-tmp',
  ignorePatterns: LEFT_OUT.map((path) => `/${path}`),
  thresholds: { high: 100, low: share ?? 0, break: share },
  reporters: ['clear-text'],
  clearTextReporter: { allowColor: false, reportTests: false },
};
