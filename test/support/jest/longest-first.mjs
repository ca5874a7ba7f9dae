import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import TestSequencer from '@jest/test-sequencer';
import { nameOfSuite, SECONDS_FILE } from './seconds.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * The order of the suites: unit tests first, as they need no server and a stranger's hosts are installed meanwhile; then
 * the others, the longest first, so that none of them runs alone at the end.
 */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const seconds = JSON.parse(readFileSync(SECONDS_FILE, 'utf8'));
    const rank = ({ path, context: { config } }) => {
      const project = config.displayName.name;
      return project === 'unit' ? Number.POSITIVE_INFINITY : (seconds[nameOfSuite(project, relative(ROOT, path))] ?? 0);
    };
    return tests
      .map((test) => ({ test, rank: rank(test) }))
      .sort((a, b) => (a.rank === b.rank ? 0 : b.rank - a.rank))
      .map(({ test }) => test);
  }
}
