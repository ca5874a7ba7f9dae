import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import TestSequencer from '@jest/test-sequencer';
import { chooseSuites } from './choose-suites.mjs';
import { nameOfSuite, SECONDS_FILE } from './seconds.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Selects and orders suites: unit tests first, because they need no server and a stranger's hosts are installed
 * meanwhile; then the others, the longest first, so that none runs alone at the end. A short run omits long ones,
 * unless suites are named.
 */
export default class Sequencer extends TestSequencer {
  constructor(options) {
    super(options);
    const { seed, testPathPatterns, runTestsByPath } = options.globalConfig;
    this.seed = seed;
    const isWhole = process.env.TEST_WHOLE === 'true' || process.env.TEST_ALL_SUITES === 'true';
    this.isSampled = !isWhole && testPathPatterns.patterns.length === 0 && !runTestsByPath;
  }

  sort(tests) {
    const recorded = JSON.parse(readFileSync(SECONDS_FILE, 'utf8'));
    const suites = tests.map((test) => {
      const project = test.context.config.displayName.name;
      const name = nameOfSuite(project, relative(ROOT, test.path));
      return { test, name, isUnit: project === 'unit', seconds: recorded[name] ?? 0 };
    });
    const unit = suites.filter(({ isUnit }) => isUnit);
    const others = this.choose(suites.filter(({ isUnit }) => !isUnit));
    return [...unit, ...others.sort((a, b) => b.seconds - a.seconds)].map(({ test }) => test);
  }

  choose(suites) {
    if (!this.isSampled) return suites;
    const { chosen, leftOut } = chooseSuites(suites, this.seed);
    const names = leftOut.map(({ name }) => `\n  ${name}`).sort();
    process.stderr.write(`Seed ${this.seed} leaves ${names.length} long suites to npm run verify:${names.join('')}\n`);
    return chosen;
  }
}
