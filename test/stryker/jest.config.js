import { fileURLToPath } from 'node:url';
import config from '../../jest.config.js';
import { files } from './files.mjs';

/** Timeout of one test, which a mutation may make hang. Milliseconds. */
const LIMIT = 10_000;

/** The unit tests next to the files that Stryker changes. */
export default {
  ...config.projects.find(({ displayName }) => displayName === 'unit'),
  rootDir: fileURLToPath(new URL('../..', import.meta.url)),
  testTimeout: LIMIT,
  testMatch: files.map((name) => `<rootDir>/libs/*/src/**/${name.replace(/\.ts$/, '.spec.ts')}`),
};
