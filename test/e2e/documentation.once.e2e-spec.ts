import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUDGET } from '../support/hosts/watch/budget.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = ['libs/emails/src', 'apps/host/src', 'test'];
const PAGES = ['README.md', 'SECURITY.md', 'libs/emails/README.md', ...['docs', 'docs/guides'].flatMap(pagesIn)];

/** Matches `contract, section 2.1`, `contract, sections 1, 3 and 5`, `Contract 2.1 and 4`. */
const CITATION = /\bcontract,? (?:sections? )?(\d[\d., and]*)/gi;

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

function pagesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder)).flatMap((name) => (name.endsWith('.md') ? [`${folder}/${name}`] : []));
}

function citations(): string[] {
  const files = SOURCES.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  return files
    .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
    .flatMap((file) => {
      const comments = read(file).replace(/\n\s*\* /g, ' ');
      return [...comments.matchAll(CITATION)].flatMap(([, sections = '']) => sections.match(/\d+(\.\d+)?/g) ?? []);
    });
}

/** Fragment of a heading in rendered Markdown. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

/** Pages must agree with the code. */
describe('the pages', () => {
  it('have every section of the contract that a comment cites', () => {
    const cited = citations();
    expect(cited.length).toBeGreaterThan(30);
    const sections = new Set(
      [...read('docs/contract.md').matchAll(/^#+ (\d+(?:\.\d+)?)\b/gm)].map(([, number]) => number),
    );
    expect(cited.filter((section) => !sections.has(section))).toEqual([]);
  });

  it('state the limits of memory and time of hosts', () => {
    const { peak, kept, tick } = BUDGET;
    const [, memory = ''] = read('docs/operating.md').split('\n## Memory\n');
    for (const figure of [`at most ${peak} MB`, `at most ${kept} MB`, `${tick} ms`]) {
      expect(memory.split('\n## ')[0]?.replaceAll('\n', ' ')).toContain(figure);
    }
  });

  it.each(PAGES)('lead somewhere: %s', (file) => {
    const links = [...read(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    const broken = links.filter((target) => {
      if (/^[a-z]+:/.test(target)) return false;
      const [path = '', anchor] = target.split('#');
      const found = path === '' ? file : join(dirname(file), path);
      if (!existsSync(join(ROOT, found))) return true;
      if (anchor === undefined) return false;
      return ![...read(found).matchAll(/^#+ (.+)$/gm)].some(([, heading = '']) => anchorOf(heading) === anchor);
    });
    expect(broken).toEqual([]);
  });

  it('keep the README short', () => {
    expect(statSync(join(ROOT, 'README.md')).size).toBeLessThanOrEqual(12_000);
  });
});
