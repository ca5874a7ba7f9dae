import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Files below the inputs of a part that git tracks or would add, with the uncommitted ones; and this Node. */
export class Inputs {
  constructor(
    private readonly root: string,
    private readonly paths: readonly string[],
  ) {}

  /**
   * Twelve hex digits over the version of Node, and path and content of each file in the working tree.
   *
   * @throws Error when one of the inputs has no file
   */
  fingerprint(): string {
    const files = this.files('ls-files', '--cached', '--others', '--exclude-standard');
    for (const path of this.paths) {
      if (!files.some((file) => isBelow(path, file))) throw new Error(`The input ${path} has no file.`);
    }
    const hash = createHash('sha256').update(process.version);
    for (const file of files) hash.update(`${file}\0${this.contentOf(file)}\0`);
    return hash.digest('hex').slice(0, 12);
  }

  areCommitted(): boolean {
    const changed = this.files('diff', '--name-only', 'HEAD');
    const untracked = this.files('ls-files', '--others', '--exclude-standard');
    return changed.length + untracked.length === 0;
  }

  /** Files of the inputs that a git command lists, sorted. */
  private files(...command: string[]): string[] {
    const args = ['--literal-pathspecs', ...command, '-z', '--', ...this.paths];
    const listed = execFileSync('git', args, { cwd: this.root, encoding: 'utf8', maxBuffer: 64_000_000 });
    const files = new Set(listed.split('\0').filter((file) => file !== ''));
    return [...files].filter((file) => !file.endsWith('.md') || this.paths.includes(file)).sort();
  }

  /** SHA-256 of a file and whether it may run, the target of a link, or nothing for an uncommitted deletion. */
  private contentOf(file: string): string {
    const path = join(this.root, file);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return '';
    if (stat.isDirectory()) throw new Error(`${file} is a repository of its own.`);
    const content = stat.isSymbolicLink() ? readlinkSync(path) : readFileSync(path);
    const mayRun = stat.isFile() && (stat.mode & 0o111) !== 0;
    return createHash('sha256').update(content).digest('hex') + (mayRun ? 'x' : '');
  }
}

function isBelow(path: string, file: string): boolean {
  return file === path || file.startsWith(`${path}/`);
}
