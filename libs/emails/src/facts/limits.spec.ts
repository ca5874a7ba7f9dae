import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as facts from './index.js';

const SOURCES = fileURLToPath(new URL('..', import.meta.url));

const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/(\.spec|(^|\/)limits)\.ts$/.test(file))
  .map((file) => readFileSync(join(SOURCES, file), 'utf8'));

describe.each(Object.entries(facts).filter(([name]) => name.endsWith('LIMITS')))('%s', (table, limits) => {
  it.each(Object.keys(limits))('%s bounds something', (name) => {
    const use = new RegExp(`\\b${table}\\.${name}\\b|\\{[^}]*\\b${name}\\b[^}]*\\} = ${table};`);
    expect(sources.some((source) => use.test(source))).toBe(true);
  });
});
