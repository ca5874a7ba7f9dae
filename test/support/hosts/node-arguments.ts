import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  scripts: { start: string };
};

/** Arguments of `npm start` for Node. */
export const NODE_ARGUMENTS: readonly string[] = scripts.start.split(' ').filter((word) => word.startsWith('--'));
