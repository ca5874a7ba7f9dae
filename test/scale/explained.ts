import type { Obstacle } from './obstacles.js';

const MARKED = /<!-- obstacles:start -->(.*)<!-- obstacles:end -->/s;
/** A rule, names as code, why they remain, and what they cost. */
const ROW = /^\| ([^`|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm;

/**
 * The obstacles of the marked table of docs/scale.md.
 *
 * @throws Error if the page has no such table, or an obstacle twice
 */
export function readExplained(page: string): Obstacle[] {
  const table = MARKED.exec(page)?.[1];
  if (table === undefined) throw new Error('The page has no marks: <!-- obstacles:start --> … <!-- obstacles:end -->.');
  const explained = [...table.matchAll(ROW)].flatMap(([, rule = '', names = '']) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => ({ rule, name })),
  );
  const seen = new Set<string>();
  for (const { rule, name } of explained) {
    if (seen.has(`${rule} ${name}`)) throw new Error(`The page has "${rule} ${name}" twice.`);
    seen.add(`${rule} ${name}`);
  }
  return explained;
}

/** Obstacles that are not explained, and explanations of obstacles that are gone. */
export function compare(found: readonly Obstacle[], explained: readonly Obstacle[]) {
  const text = ({ rule, name }: Obstacle) => `${rule} ${name}`;
  const without = (all: readonly Obstacle[], others: readonly Obstacle[]) => {
    const known = new Set(others.map(text));
    return all.map(text).filter((each) => !known.has(each));
  };
  return { unexplained: without(found, explained), gone: without(explained, found) };
}
