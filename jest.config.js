const swc = [
  '@swc/jest',
  {
    swcrc: false,
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
      keepClassNames: true,
    },
    module: { type: 'es6' },
    sourceMaps: 'inline',
  },
];

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
  setupFilesAfterEnv: ['<rootDir>/test/support/after-file.setup.ts'],
};

const projects = [
  {
    ...common,
    displayName: 'unit',
    testMatch: ['<rootDir>/libs/*/src/**/*.spec.ts', '<rootDir>/apps/*/src/**/*.spec.ts'],
    moduleNameMapper: { ...common.moduleNameMapper, '^nestjs-emails$': '<rootDir>/libs/emails/src/index.ts' },
  },
  { ...e2e, displayName: 'e2e postgres', globals: { __QUEUE_KIND__: 'postgres' } },
];

// `test/support/run-tests.mjs` starts the servers and says through the environment which there are.
if (process.env.TEST_REDIS_URL) {
  projects.push({
    ...e2e,
    displayName: 'e2e redis',
    testPathIgnorePatterns: ['/node_modules/', '\\.once\\.e2e-spec\\.ts$'],
    globals: { __QUEUE_KIND__: 'redis' },
  });
}

export default {
  projects,
  maxWorkers: 2,
  // Jest takes it from here only, not from a project.
  testTimeout: 30_000,
  reporters: ['default', '<rootDir>/test/support/totals-reporter.mjs'],
};
