import { execFileSync } from 'node:child_process';

const DAY = 24 * 60 * 60 * 1_000;

/**
 * Paths of files that differ from the first-parent commit a day before the last one (at least from its parent), and of
 * files that are not committed. Returns none if Git cannot say: without a clone, in a shallow clone, and if no commit is
 * that old.
 *
 * @param folder the root of a clone
 */
export function changedFiles(folder: string): string[] {
  try {
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    if (git('rev-parse', '--is-shallow-repository') !== 'false') return [];
    const last = Date.parse(git('log', '-1', '--format=%cI'));
    const dayBefore = new Date(last - DAY).toISOString();
    const base = git('rev-list', '-1', '--first-parent', `--before=${dayBefore}`, 'HEAD');
    if (base === '') return [];
    return [git('diff', '--name-only', '-z', base), git('ls-files', '--others', '--exclude-standard', '-z')].flatMap(
      (paths) => paths.split('\0').filter(Boolean),
    );
  } catch {
    return [];
  }
}
