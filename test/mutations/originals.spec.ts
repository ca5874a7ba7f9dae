import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Originals } from './originals.js';

describe('Originals', () => {
  const root = mkdtempSync(join(tmpdir(), 'originals-'));
  const [one, two] = [join(root, 'one.ts'), join(root, 'two.ts')];

  afterAll(() => rmSync(root, { recursive: true }));

  it('restores the changes of a killed run, once', () => {
    new Originals(root).keep(one, 'first');
    writeFileSync(one, 'second');
    new Originals(root).keep(one, 'second');
    new Originals(root).keep(two, 'ä"\n');
    expect(new Originals(root).restore().sort()).toEqual([one, two]);
    expect([one, two].map((path) => readFileSync(path, 'utf8'))).toEqual(['first', 'ä"\n']);
    rmSync(one);
    expect(new Originals(root).restore()).toEqual([]);
    expect(existsSync(one)).toBe(false);
  });
});
