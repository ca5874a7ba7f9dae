import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The original contents of changed files, stored in a file outside of git, because a killed run cannot restore them.
 * The next run does.
 */
export class Originals {
  private readonly file: string;

  /** @param root of the repository */
  constructor(root: string) {
    this.file = join(root, '.verify', 'originals.json');
  }

  /** Call it before a file is changed. The first text of a file is its original. */
  keep(path: string, text: string): void {
    const kept = this.read();
    mkdirSync(dirname(this.file), { recursive: true });
    writeFileSync(this.file, JSON.stringify({ [path]: text, ...kept }));
  }

  /** @returns the paths of the restored files */
  restore(): string[] {
    const kept = this.read();
    for (const [path, text] of Object.entries(kept)) writeFileSync(path, text);
    rmSync(this.file, { force: true });
    return Object.keys(kept);
  }

  private read(): Record<string, string> {
    return existsSync(this.file) ? JSON.parse(readFileSync(this.file, 'utf8')) : {};
  }
}
