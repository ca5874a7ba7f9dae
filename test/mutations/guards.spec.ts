import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { edited } from './edit.js';
import { threats } from './guards/index.js';
import { locate, ROOT } from './locate.js';

const guards = threats.flatMap((threat) => threat.guards);

/** `npm run test:mutations` takes minutes; this checks quickly that its edits still match. */
describe('every guard of SECURITY.md', () => {
  it.each(guards.map(({ guard, edits }) => [guard, edits] as const))(
    'is where it is taken out: %s',
    (_guard, edits) => {
      expect(edits.length).toBeGreaterThan(0);
      for (const edit of edits) expect(edited(edit).after).not.toBe(edited(edit).before);
    },
  );

  it.each(guards.map(({ guard, suite, test }) => [guard, suite, test] as const))(
    'has its named test: %s',
    (_guard, suite, test) => {
      expect(readFileSync(join(ROOT, locate(suite)), 'utf8')).toContain(test.replaceAll("'", "\\'"));
    },
  );
});
