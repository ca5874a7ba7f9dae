import { readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** A file of JSON lines that only grows. Lines for which `append` has resolved are on the disk. */
export class Journal<Entry extends object> {
  private waiting: { line: string; done: () => void; failed: (error: unknown) => void }[] = [];
  private writing: Promise<void> | undefined;

  private constructor(
    readonly path: string,
    private readonly file: FileHandle,
  ) {}

  static async create<Entry extends object>(path: string): Promise<Journal<Entry>> {
    return new Journal(path, await open(path, 'ax'));
  }

  /** Resolves when the entry has been written and synced. Concurrent entries share one sync. */
  append(entry: Entry): Promise<void> {
    return new Promise((done, failed) => {
      this.waiting.push({ line: `${JSON.stringify(entry)}\n`, done, failed });
      this.writing ??= this.drain();
    });
  }

  /** All entries of the file. */
  read(): Entry[] {
    return readFileSync(this.path, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Entry);
  }

  async close(): Promise<void> {
    await this.writing;
    await this.file.close();
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0);
      try {
        await this.file.appendFile(batch.map(({ line }) => line).join(''));
        await this.file.datasync();
        for (const { done } of batch) done();
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    // In the same tick as the check: the next append starts another write.
    this.writing = undefined;
  }
}
