import { TEST_LIMIT } from './test/support/basics/patience.mjs';
import { SWC_OPTIONS, SWC_OPTIONS_OF_PAGE } from './test/support/jest/swc-options.mjs';

const swc = ['@swc/jest', SWC_OPTIONS];

const common = {
  testEnvironment: 'node',
  // The default lies in the temporary folder, which every run has to itself.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': swc },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['/dist/'],
};

/** The end-to-end suites talk HTTP to the built host, so nothing of it is mapped to sources. */
const e2e = {
  ...common,
  testMatch: ['<rootDir>/test/e2e/**/*.e2e-spec.ts'],
  setupFilesAfterEnv: ['<rootDir>/test/support/jest/after-file.setup.ts'],
};

// `test/support/run-tests.mjs` starts the servers and says through the environment which there are.
const left = ['/node_modules/'];
if (!process.env.TEST_PGBOUNCER) left.push('\\.pgbouncer\\.e2e-spec\\.ts$');
// Installs everything once more, which takes a network and a minute.
if (process.env.CI !== 'true') left.push('\\.ci\\.e2e-spec\\.ts$');
/** Suites that ask for nothing but the contract, so that any host of the package has to pass them. */
const CONTRACT = [
  'send-fields',
  'send-headers',
  'send-mailboxes',
  'send-message',
  'attachments',
  'idempotency',
  'listing',
  'scheduling',
  'states',
  'delivery',
];
/** Those of them whose answers depend on database drivers and queues, and not on our own rules alone. */
const OF_PEERS = ['attachments', 'idempotency', 'listing', 'states', 'delivery'];

function packageSuites(contract) {
  return [
    '<rootDir>/test/package/**/*.e2e-spec.ts',
    ...(process.env.TEST_CHROMIUM ? ['<rootDir>/test/browser/**/*.package-spec.ts'] : []),
    `<rootDir>/test/e2e/{${contract.join(',')}}?(.once).e2e-spec.ts`,
  ];
}

const projects = [
  {
    ...common,
    displayName: 'unit',
    testMatch: [
      '<rootDir>/libs/*/src/**/*.spec.ts',
      '<rootDir>/libs/dashboard/page/src/**/*.spec.ts',
      '<rootDir>/apps/*/src/**/*.spec.ts',
      '<rootDir>/test/mutations/*.spec.ts',
    ],
    extensionsToTreatAsEsm: ['.ts', '.tsx'],
    transform: { '\\.ts$': swc, '\\.tsx$': ['@swc/jest', SWC_OPTIONS_OF_PAGE] },
    moduleNameMapper: {
      ...common.moduleNameMapper,
      '\\.css$': '<rootDir>/test/support/jest/no-styles.mjs',
      '^nestjs-emails-dashboard$': '<rootDir>/libs/dashboard/src/index.ts',
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
    testMatch: packageSuites(CONTRACT),
    testPathIgnorePatterns: [...left, '/commonjs\\.e2e-spec\\.ts$'],
    globalSetup: '<rootDir>/test/support/hosts/install-newest.mjs',
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
    testMatch: ['<rootDir>/test/browser/**/*.browser-spec.ts'],
    globals: { __QUEUE_KIND__: 'postgres' },
  });
}

// BullMQ 5 knows Redis only.
if (process.env.TEST_REDIS_URL) {
  projects.push({
    ...e2e,
    displayName: 'package older',
    testMatch: packageSuites(OF_PEERS),
    // These need what only newer peers have: a queue in PostgreSQL, TypeScript 6.
    testPathIgnorePatterns: [...left, '/(readme|strangers)\\.e2e-spec\\.ts$'],
    globalSetup: '<rootDir>/test/support/hosts/install-older.mjs',
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
    testPathIgnorePatterns: [...left, '\\.(once|ci)\\.e2e-spec\\.ts$'],
    globals: { __QUEUE_KIND__: 'redis' },
  });
}

export default {
  projects,
  maxWorkers: 2,
  // Jest takes it from here only, not from a project.
  testTimeout: TEST_LIMIT,
  reporters: ['default', '<rootDir>/test/support/jest/totals-reporter.mjs'],
};
