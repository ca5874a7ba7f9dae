import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holderOf, lockDataDir } from './data-dir-lock.js';

describe('the lock of a data directory', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'emails-lock-'));
  const lock = join(dataDir, 'host.lock');

  afterAll(() => rmSync(dataDir, { recursive: true }));

  it('is held by one process and released', () => {
    expect(holderOf(dataDir)).toBeUndefined();
    const unlock = lockDataDir(dataDir);
    expect(holderOf(dataDir)).toBe(process.pid);
    expect(() => lockDataDir(dataDir)).toThrow(`${dataDir} is in use by process ${process.pid}`);
    unlock();
    expect(holderOf(dataDir)).toBeUndefined();
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it.each([
    ['a process that is gone', '999999999 1\n'],
    ['an earlier process with the id of a live one', `${process.pid} once\n`],
    ['nobody', ''],
    ['something else', 'hello\n'],
  ])('is taken over from %s', (_, claim) => {
    writeFileSync(lock, claim);
    const unlock = lockDataDir(dataDir);
    expect(holderOf(dataDir)).toBe(process.pid);
    expect(readdirSync(dataDir)).toEqual(['host.lock']);
    unlock();
  });
});
