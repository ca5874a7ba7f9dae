import type { Part } from './part.js';

const TYPESCRIPT = ['node', '--import', './test/support/typescript.mjs'];
const BUILT = ['libs', 'apps', 'package.json', 'package-lock.json', '.npmrc', 'tsconfig.base.json', 'tsconfig.json'];
/** No pages: suites that read those run with every change, in `.ci/run`. */
const TESTED = [...BUILT, 'jest.config.js', 'Dockerfile', 'test'];

const tests = (...projects: string[]) => ['node', 'test/support/run-tests.mjs', '--selectProjects', ...projects];

/** All parts, in the order in which they run: that which edits the sources comes last. */
export const parts: readonly Part[] = [
  {
    name: 'unit',
    proves: 'all unit tests',
    inputs: TESTED,
    commands: [tests('unit')],
    limit: 10,
  },
  {
    name: 'e2e-postgres',
    proves: 'every behaviour over HTTP, with the queue in PostgreSQL',
    inputs: TESTED,
    commands: [tests('e2e postgres')],
    limit: 45,
  },
  {
    name: 'e2e-redis',
    proves: 'whatever a queue can change, with the queue in Redis',
    inputs: TESTED,
    commands: [tests('e2e redis')],
    limit: 40,
  },
  {
    name: 'package',
    proves: "the packed packages in strangers' hosts, with the newest and the lowest versions of what they stand on",
    inputs: [...TESTED, 'libs/emails/README.md', 'libs/dashboard/README.md'],
    // With what `prepack` does, which builds `dist` again.
    commands: [['npm', 'run', '--silent', 'package:check'], tests('package', 'package older')],
    limit: 45,
  },
  {
    name: 'browser',
    proves: 'the page in a real browser: every screen, state, theme and width',
    inputs: TESTED,
    commands: [tests('browser')],
    limit: 45,
  },
  {
    name: 'faults',
    proves: 'every scenario of faults, on both queues',
    inputs: [...BUILT, 'test/faults', 'test/support'],
    commands: [[...TYPESCRIPT, 'test/faults/main.ts']],
    limit: 50,
  },
  fuzz('smtp', 'nothing is lost, or sent again behind a final reply, with an SMTP server that says anything'),
  fuzz('caller', 'any request is answered within the contract, and no account sees or delays another'),
  {
    name: 'speed',
    proves: 'all guarded rows of the speed table',
    inputs: [...BUILT, 'test/bench', 'test/support'],
    commands: [[...TYPESCRIPT, 'test/bench/bench.ts', '--short']],
    limit: 20,
  },
  ...onNode(22),
  ...onNode(24),
  {
    name: 'stryker',
    proves: 'unit tests notice what changes in pure logic: times, mailboxes, replies, JSON, templates, lanes',
    inputs: [...BUILT, 'jest.config.js', 'test/stryker', 'test/support/basics', 'test/support/jest'],
    commands: [['npm', 'run', '--silent', 'test:stryker']],
    // An eighth of the mutants is in constants, and needs all of these tests in a new process.
    limit: 90,
  },
  mutations('unit', 'each guard of SECURITY.md with a unit test has one that fails without it'),
  mutations('http', 'each other guard of SECURITY.md has a test over HTTP that fails without it'),
];

/** Two parts: each alone fits into an hour on a slow day. */
function mutations(kind: 'unit' | 'http', proves: string): Part {
  const commands = [[...TYPESCRIPT, 'test/mutations/main.ts', `--${kind}`]];
  return { name: `mutations-${kind}`, proves, inputs: TESTED, commands, limit: 60 };
}

/** Ten minutes of one fuzzer, by a seed that its log names. */
function fuzz(name: string, proves: string): Part {
  return {
    name: `fuzz-${name}`,
    proves,
    inputs: [...BUILT, 'test/fuzz', 'test/support'],
    commands: [[...TYPESCRIPT, 'test/fuzz/main.ts', name]],
    limit: 30,
  };
}

/**
 * Node comes from the npm package that has its binary, in the newest release of that major version. Three parts: each alone fits
 * into an hour on a slow day.
 */
function onNode(major: number): Part[] {
  const folder = `node_modules/.cache/node-${major}`;
  const binary = `node-${process.platform}-${process.arch}`;
  const install = ['npm', 'install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', `${binary}@${major}`];
  const part = (what: string, proves: string, ...commands: string[][]): Part => ({
    name: `node-${major}-${what}`,
    proves,
    inputs: TESTED,
    commands: [install, ...commands],
    limit: 60,
    sampled: true,
    node: `${folder}/node_modules/${binary}`,
  });
  const half = (number: number) =>
    part(`http-${number}`, 'half of the behaviour over HTTP, with a sample of long cases', [
      ...tests('e2e postgres'),
      `--shard=${number}/2`,
    ]);
  const stranger = [...tests('package'), '--testPathPatterns', 'minimal-host'];
  return [part('unit', "unit tests, and one stranger's host", tests('unit'), stranger), half(1), half(2)];
}
