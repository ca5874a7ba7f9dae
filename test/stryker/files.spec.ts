import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { files } from './files.mjs';

const LIBS = fileURLToPath(new URL('../../libs', import.meta.url));

it('StrykerJS changes existing files with unit tests next to them', () => {
  const sources = ['emails', 'dashboard'].flatMap((name) =>
    readdirSync(`${LIBS}/${name}/src`, { recursive: true, encoding: 'utf8' }).map((path) => basename(path)),
  );
  expect(sources).toEqual(expect.arrayContaining(files.flatMap((name) => [name, name.replace(/\.ts$/, '.spec.ts')])));
});
