import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { threats } from '../mutations/guards/index.js';
import { guardTable } from '../mutations/table.js';

const read = (file: string) => readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8');

/** `npm run test:mutations` proves what SECURITY.md lists, `guards.spec` that it can; this, that the list is whole. */
describe('SECURITY.md', () => {
  it('lists every guard: `npm run test:mutations -- --table` writes it again', () => {
    expect(read('SECURITY.md')).toContain(guardTable(threats));
  });
});
