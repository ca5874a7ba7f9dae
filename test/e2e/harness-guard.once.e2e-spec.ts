import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { changedFiles } from '../bench/guard/changed-files.js';
import { chooseRows, describeChoice, type GuardedRow, isGuarded, SETUP } from '../bench/guard/choose.js';
import { untilHeld } from '../bench/guard/until-held.js';
import type { Finding } from '../bench/report/finding.js';
import { rows } from '../bench/rows/index.js';
import type { Row } from '../bench/rows/row.js';
import { afterFile } from '../support/basics/cleanup.js';
import { Random } from '../support/basics/random.js';
import { makeTempFolder } from '../support/basics/temp-folder.mjs';

/** The `--seconds` of CI. */
const SECONDS = 60;
const SEEDS = Array.from({ length: 200 }, (_, seed) => seed);
const guarded = rows.filter(isGuarded);

const row = (name: string, seconds = 20, about: string[] = []): GuardedRow => ({ name, short: { seconds, about } });
const namesOf = (chosen: readonly { row: GuardedRow }[]) => chosen.map(({ row: { name } }) => name);

describe('guarded rows chosen by a seed', () => {
  it('are at least two for every seed, and every row is chosen by some seed', () => {
    const chosen = SEEDS.map((seed) => namesOf(chooseRows(guarded, [], new Random(seed), SECONDS).chosen));
    expect(Math.min(...chosen.map(({ length }) => length))).toBeGreaterThanOrEqual(2);
    expect(new Set(chosen.flat())).toEqual(new Set(guarded.map(({ name }) => name)));
  });

  it('are the same for the same seed and differ between seeds', () => {
    const names = (seed: number) => namesOf(chooseRows(guarded, [], new Random(seed), SECONDS).chosen);
    expect(names(7)).toEqual(names(7));
    expect(new Set(SEEDS.map((seed) => names(seed).join())).size).toBeGreaterThan(SEEDS.length / 4);
  });

  it('fit into the time, and include every row that fits', () => {
    for (const seed of SEEDS) {
      const { chosen, leftOut } = chooseRows(guarded, [], new Random(seed), SECONDS);
      const rest = chosen.reduce((seconds, { row: { short } }) => seconds - short.seconds, SECONDS - SETUP);
      expect(rest).toBeGreaterThanOrEqual(0);
      for (const { short } of leftOut) expect(short.seconds).toBeGreaterThan(rest);
      expect(chosen.length + leftOut.length).toBe(guarded.length);
    }
  });

  it('start with the rows of changed code', () => {
    const all = [row('one'), row('two', 20, ['libs/two/']), row('three', 20, ['libs/three.ts', 'libs/threes/'])];
    for (const seed of SEEDS) {
      const choose = (...changed: string[]) => chooseRows(all, changed, new Random(seed), SETUP + 40);
      expect(namesOf(choose('libs/two/a.ts', 'libs/other.ts').chosen)[0]).toBe('two');
      expect(new Set(namesOf(choose('libs/two/a.ts', 'libs/threes/b.ts').chosen))).toEqual(new Set(['two', 'three']));
    }
    const choice = chooseRows(all, ['libs/three.ts'], new Random(1), SETUP + 20);
    expect(describeChoice(choice)).toMatch(
      /^Rows of changed code: three; by the seed: none; left out: (one, two|two, one)\.$/,
    );
  });

  it('name only paths that exist', () => {
    const paths = guarded.flatMap(({ short }) => short.about);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });
});

describe('a guarded row', () => {
  const measured = (name: string, once?: true): Row => ({
    name,
    title: name,
    ratios: [{ what: 'ratio', of: ({ ratio = 0 }) => ratio, atLeast: 1 }],
    ...(once && { once }),
    round: async () => ({}),
  });
  const holds = ({ ratios: [ratio] }: Finding) => ratio?.met === true;

  /** Returns the rounds in the order of measurement, and the ratio found for each row. */
  async function guard(all: readonly Row[], ratioOf: (name: string, round: number) => number, deadline = Infinity) {
    const rounds: string[] = [];
    const measure = async ({ name }: Row, round: number) => {
      rounds.push(`${name} ${round + 1}`);
      return { ratio: ratioOf(name, round) };
    };
    const findings = await untilHeld(all, measure, holds, { rounds: 5, deadline });
    return { rounds, ratios: findings.map(({ ratios }) => ratios[0]?.value) };
  }

  it('is measured once if it holds, and again after all others if not', async () => {
    const ratioOf = (name: string, round: number) => (name === 'late' && round < 2 ? 0.5 : 2);
    const { rounds, ratios } = await guard([measured('late'), measured('quick')], ratioOf);
    expect(rounds).toEqual(['late 1', 'quick 1', 'late 2', 'late 3']);
    expect(ratios).toEqual([2, 2]);
  });

  it('is lost after five rounds, or after one if it is measured once, and reports its median', async () => {
    const ratioOf = (_name: string, round: number) => round / 10;
    const { rounds, ratios } = await guard([measured('lost'), measured('large', true)], ratioOf);
    expect(rounds).toEqual(['lost 1', 'large 1', 'lost 2', 'lost 3', 'lost 4', 'lost 5']);
    expect(ratios).toEqual([0.2, 0]);
  });

  it('is not measured again after the deadline', async () => {
    const { rounds, ratios } = await guard([measured('lost'), measured('quick')], () => 0.5, 0);
    expect(rounds).toEqual(['lost 1', 'quick 1']);
    expect(ratios).toEqual([0.5, 0.5]);
  });
});

describe('changed files', () => {
  function makeClone() {
    const folder = makeTempFolder('emails-test-clone-');
    afterFile(() => rmSync(folder, { recursive: true, force: true }));
    const git = (date: string, ...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.example', ...args], {
        cwd: folder,
        env: { PATH: process.env.PATH, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
      });
    const write = (path: string, content: string) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    };
    const commit = (date: string, ...paths: string[]) => {
      for (const path of paths) write(path, date);
      git(date, 'add', '.');
      git(date, 'commit', '-qm', 'A change');
    };
    git('2026-11-20T12:00:00Z', 'init', '-q');
    return { folder, git, write, commit };
  }

  it('are those of the last day of commits and those not committed', () => {
    const { folder, write, commit } = makeClone();
    commit('2026-11-20T12:00:00Z', 'first', 'lib/old', 'lib/changed');
    commit('2026-11-21T13:00:00Z', 'lib/changed');
    commit('2026-11-22T12:00:00Z', 'lib/ü b');
    expect(changedFiles(folder).sort()).toEqual(['lib/changed', 'lib/ü b']);
    write('first', 'other');
    write('new/file', 'new');
    expect(changedFiles(folder).sort()).toEqual(['first', 'lib/changed', 'lib/ü b', 'new/file']);
  });

  it('include the last commit, even if the one before is days older', () => {
    const { folder, commit } = makeClone();
    commit('2026-11-20T12:00:00Z', 'old');
    commit('2026-11-29T12:00:00Z', 'new');
    expect(changedFiles(folder)).toEqual(['new']);
  });

  it('include what a merge brings, even if its commits are days older', () => {
    const { folder, git, commit } = makeClone();
    commit('2026-11-20T12:00:00Z', 'old');
    git('', 'checkout', '-qb', 'side');
    commit('2026-11-21T12:00:00Z', 'side');
    git('', 'checkout', '-q', '-');
    commit('2026-11-22T12:00:00Z', 'main');
    git('2026-11-29T12:00:00Z', 'merge', '-q', '--no-ff', '-m', 'Merge', 'side');
    expect(changedFiles(folder)).toEqual(['side']);
  });

  it('are unknown without a clone, in a shallow clone, and if every commit is new', () => {
    const { folder, commit } = makeClone();
    commit('2026-11-20T12:00:00Z', 'old');
    expect(changedFiles(folder)).toEqual([]);
    commit('2026-11-29T12:00:00Z', 'new');
    const shallow = makeTempFolder('emails-test-clone-');
    const outside = makeTempFolder('emails-test-clone-');
    for (const each of [shallow, outside]) afterFile(() => rmSync(each, { recursive: true, force: true }));
    execFileSync('git', ['clone', '-q', '--depth', '1', `file://${folder}`, shallow]);
    expect(changedFiles(shallow)).toEqual([]);
    expect(changedFiles(outside)).toEqual([]);
  });
});
