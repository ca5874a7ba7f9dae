import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  scripts: { start: string };
};

/**
 * Arguments of `npm start` for Node, and the young generation of Node 20, with which budgets of memory were measured: that
 * of Node 24 may be 33 MB larger. Megabytes.
 */
export const NODE_ARGUMENTS: readonly string[] = [
  ...scripts.start.split(' ').filter((word) => word.startsWith('--')),
  '--max-semi-space-size=16',
];
