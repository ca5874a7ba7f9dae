import { fileURLToPath } from 'node:url';

/**
 * Seconds of an ordinary machine that each longer suite took when `TEST_RECORD=true npm test` last ran; other suites are
 * short.
 */
export const SECONDS_FILE = fileURLToPath(new URL('seconds.json', import.meta.url));

/** Suites that take less are not recorded. */
export const SHORTEST_RECORDED = 4;

/** @param path relative to the repository's root */
export const nameOfSuite = (project, path) => `${project} ${path}`;
