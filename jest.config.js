import { readdirSync, readFileSync } from 'node:fs';
import { PATIENCE, TEST_LIMIT } from './test/support/basics/patience.mjs';
import { SWC_OPTIONS, SWC_OPTIONS_OF_PAGE } from './test/support/jest/swc-options.mjs';

const swc = ['@swc/jest', SWC_OPTIONS];

const common = {
  testEnvironment: 'node',
  // The default lies in the temporary folder, which every run has to itself.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': swc },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  // A Stryker that was killed leaves a copy of the packages.
  modulePathIgnorePatterns: ['/dist/', '<rootDir>/\\.stryker-tmp/'],
  // A test's globals are slow to look up; CommonJS modules have these as variables. `tr46` needs them for each character.
  sandboxInjectedGlobals: ['Array', 'Math'],
};

/** The end-to-end suites talk HTTP to the built host, so nothing of it is mapped to sources. */
const e2e = {
  ...common,
  testMatch: ['<rootDir>/test/e2e/**/*.e2e-spec.ts'],
  setupFilesAfterEnv: ['<rootDir>/test/support/jest/after-file.setup.ts'],
};

/** A stranger's hosts, which are installed while other suites run. Jest runs a global set-up once, however many name it. */
const installation = (name) => ({
  globalSetup: `<rootDir>/test/support/hosts/${name}.mjs`,
  setupFiles: ['<rootDir>/test/support/jest/await-installation.setup.mjs'],
});

// `test/support/run-tests.mjs` starts the servers and says through the environment which there are.
const left = ['/node_modules/'];
if (!process.env.TEST_PGBOUNCER) left.push('\\.pgbouncer\\.e2e-spec\\.ts$');
if (!process.env.TEST_POSTFIX) left.push('\\.postfix\\.e2e-spec\\.ts$');
if (!process.env.TEST_JUDGES) left.push('\\.judges\\.once\\.e2e-spec\\.ts$');
if (!process.env.TEST_PROMTOOL) left.push('\\.promtool\\.once\\.e2e-spec\\.ts$');
/** Everything on both queues and in all projects, as in `npm run verify`; otherwise what fits into a short run. */
const whole = process.env.TEST_WHOLE === 'true';
// These take minutes.
if (!whole) left.push('\\.whole\\.e2e-spec\\.ts$');

/** Suites that ask for nothing but the contract, so that any host of the package has to pass them. */
const CONTRACT = ['send-fields', 'send-headers', 'send-mailboxes', 'send-message', 'scheduling'];
/** The same, with answers that depend on database drivers and queues, and not on our own rules alone. */
const CONTRACT_OF_PEERS = ['attachments', 'idempotency', 'listing', 'states', 'delivery'];

function packageSuites(contract) {
  return [
    '<rootDir>/test/package/**/*.e2e-spec.ts',
    ...(process.env.TEST_CHROMIUM ? ['<rootDir>/test/browser/**/*.package-spec.ts'] : []),
    `<rootDir>/test/e2e/{${contract.join(',')}}?(.once).e2e-spec.ts`,
  ];
}

/** A short run has these on both queues besides the suites that name the queue. */
const ON_BOTH_QUEUES = ['lifecycle', 'outage-postgres', 'isolation', 'batch'];
const NAMES_THE_QUEUE = /\bqueues?\b|queueKind|redis/i;

/** Suites of a short run on the queue in Redis. */
function suitesOfQueues() {
  const folder = new URL('test/e2e/', import.meta.url);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.e2e-spec.ts'))
    .filter(
      (name) =>
        ON_BOTH_QUEUES.includes(name.split('.')[0]) ||
        NAMES_THE_QUEUE.test(name + readFileSync(new URL(name, folder), 'utf8')),
    )
    .map((name) => `<rootDir>/test/e2e/${name}`);
}

const projects = [
  {
    ...common,
    displayName: 'unit',
    testMatch: [
      '<rootDir>/libs/*/src/**/*.spec.ts',
      '<rootDir>/libs/dashboard/page/src/**/*.spec.ts',
      '<rootDir>/apps/*/src/**/*.spec.ts',
      '<rootDir>/test/{dtos,feedback,model,mutations,roles,scale,stryker,support/dns}/*.spec.ts',
    ],
    extensionsToTreatAsEsm: ['.ts', '.tsx'],
    transform: { '\\.ts$': swc, '\\.tsx$': ['@swc/jest', SWC_OPTIONS_OF_PAGE] },
    moduleNameMapper: {
      ...common.moduleNameMapper,
      '\\.css$': '<rootDir>/test/support/jest/no-styles.mjs',
      '^nestjs-emails-dashboard$': '<rootDir>/libs/dashboard/src/index.ts',
      '^#(emails|dashboard)-folder$': '<rootDir>/libs/$1/src/folder.ts',
      '^nestjs-emails$': '<rootDir>/libs/emails/src/index.ts',
      '^nestjs-emails/(.*)$': '<rootDir>/libs/emails/src/$1/index.ts',
    },
  },
  {
    ...e2e,
    displayName: 'e2e postgres',
    testPathIgnorePatterns: [...left, '\\.redis\\.e2e-spec\\.ts$'],
    globals: { __QUEUE_KIND__: 'postgres' },
  },
  {
    ...e2e,
    displayName: 'package',
    testMatch: packageSuites(whole ? [...CONTRACT, ...CONTRACT_OF_PEERS] : CONTRACT),
    testPathIgnorePatterns: [...left, '/commonjs\\.e2e-spec\\.ts$'],
    ...installation('install-newest'),
    globals: {
      __QUEUE_KIND__: process.env.TEST_REDIS_URL ? 'redis' : 'postgres',
      __HOST_KIND__: 'minimal',
      __GENERATION__: 'newest',
    },
  },
];

if (process.env.TEST_CHROMIUM) {
  projects.push({
    ...e2e,
    displayName: 'browser',
    testEnvironment: '<rootDir>/test/support/jest/environment-of-pages.mjs',
    testMatch: ['<rootDir>/test/browser/**/*.browser-spec.ts'],
    globals: { __QUEUE_KIND__: 'postgres' },
  });
}

// BullMQ 5 knows Redis only.
if (process.env.TEST_REDIS_URL) {
  projects.push({
    ...e2e,
    displayName: 'package older',
    testMatch: packageSuites(CONTRACT_OF_PEERS),
    // These need what only newer peers have: a queue in PostgreSQL, TypeScript 6.
    testPathIgnorePatterns: [...left, '/(readme|strangers|own-controllers)\\.e2e-spec\\.ts$'],
    ...installation('install-older'),
    globals: {
      __QUEUE_KIND__: 'redis',
      __HOST_KIND__: 'minimal',
      // One of `test/hosts/generations.json`.
      __GENERATION__: process.env.TEST_GENERATION ?? 'lowest',
    },
  });
}

if (process.env.TEST_REDIS_URL) {
  projects.push({
    ...e2e,
    displayName: 'e2e redis',
    ...(whole ? {} : { testMatch: suitesOfQueues() }),
    testPathIgnorePatterns: [...left, '\\.(once|whole)\\.e2e-spec\\.ts$'],
    globals: { __QUEUE_KIND__: 'redis' },
  });
}

export default {
  projects,
  maxWorkers: 3,
  // `--seed N` chooses the same samples again.
  showSeed: true,
  testSequencer: '<rootDir>/test/support/jest/sequencer.mjs',
  // Jest takes it from here only, not from a project.
  testTimeout: TEST_LIMIT,
  // Node 20 keeps the modules of all test files that a worker ran, if they import in circles. To free more than 1 GB takes
  // longer than the half second after which jest would kill the worker; only something left open takes this long.
  workerGracefulExitTimeout: PATIENCE,
  reporters: [
    'default',
    '<rootDir>/test/support/jest/totals-reporter.mjs',
    '<rootDir>/test/support/jest/left-open-reporter.mjs',
  ],
};
