import { parseArgs } from 'node:util';
import type { Part } from './part.js';

export interface Options {
  asked: readonly Part[];
  /** Also runs parts that are unchanged since they passed. */
  again: boolean;
  /** Only lists the parts. */
  list: boolean;
}

const USAGE = `npm run verify -- [PART…] [options]
  --list    show the parts, what each proves, and whether its inputs changed since it passed
  --again   run also what is unchanged since it passed`;

/** @throws Error that names the problem */
export function readOptions(args: string[], parts: readonly Part[]): Options {
  const { values, positionals } = parse(args);
  for (const name of positionals) {
    if (parts.some((part) => part.name === name)) continue;
    throw new Error(`There is no part ${name}. The parts: ${parts.map((part) => part.name).join(', ')}.`);
  }
  const asked = parts.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  return { asked, again: values.again, list: values.list };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { again: { type: 'boolean', default: false }, list: { type: 'boolean', default: false } },
    });
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  }
}
