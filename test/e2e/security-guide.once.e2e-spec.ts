import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { threats } from '../mutations/guards/index.js';
import { guardTable } from '../mutations/table.js';

const read = (file: string) => readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8');

/** `npm run test:mutations` proves what SECURITY.md lists; this sees to it that it can, and that the list is whole. */
describe('SECURITY.md', () => {
  it('lists every guard: `npm run test:mutations -- --table` writes it anew', () => {
    expect(read('SECURITY.md')).toContain(guardTable(threats));
  });

  it.each(threats.flatMap(({ guards }) => guards.map((guard) => [guard.guard, guard] as const)))(
    'names a test that is there, and what can be taken out: %s',
    (_, { suite, test, edits }) => {
      expect(read(suite).replaceAll("\\'", "'")).toContain(test);
      expect(edits.length).toBeGreaterThan(0);
      for (const [file, find] of edits) expect(read(file).split(find)).toHaveLength(2);
    },
  );
});
