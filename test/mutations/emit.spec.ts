import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { emit } from './emit.js';
import { ROOT } from './locate.js';

/** Without the reference to the source map. */
const bare = (code: string) => code.replace(/\/\/# sourceMappingURL.*/, '').trim();

describe('emit', () => {
  it.each(['libs/emails', 'libs/dashboard', 'apps/host'])(
    'makes of a source of %s what the build makes',
    (workspace) => {
      const source = `${workspace}/src/${{ 'libs/emails': 'shared/text/is-uuid', 'libs/dashboard': 'limits', 'apps/host': 'http/limits' }[workspace]}.ts`;
      const { path, code } = emit(join(ROOT, source), readFileSync(join(ROOT, source), 'utf8'));
      expect(bare(code)).toBe(bare(readFileSync(path, 'utf8')));
    },
  );

  it('keeps the types of injected providers', () => {
    const text =
      "@Injectable() export class A { constructor(b: B) {} }\nimport { Injectable } from '@nestjs/common';\nimport { B } from './b.js';";
    expect(emit(join(ROOT, 'libs/emails/src/a.ts'), text).code).toMatch(
      /__metadata\("design:paramtypes", \[.*\bB\b.*\]\)/,
    );
  });

  it('refuses a file that no build emits', () => {
    expect(() => emit(join(ROOT, 'libs/dashboard/page/src/main.tsx'), '')).toThrow('is not a source of a workspace');
  });
});
