import { basename } from 'node:path';
import { PLACES, type Threat } from './guard.js';

/** The part of SECURITY.md that lists every guard and its test. */
export function guardTable(threats: readonly Threat[]): string {
  return threats
    .flatMap(({ title, guards }) => [
      `### ${title}`,
      '',
      '| guarded against | fails without it |',
      '|---|---|',
      ...guards.map(({ guard, suite, test }) => `| ${guard} | ${shortName(suite)} › ${test.replaceAll(PLACES, '…')} |`),
      '',
    ])
    .join('\n');
}

/** `a/b.once.e2e-spec.ts` is `b`, `a/b.service.spec.ts` is `b.service`. */
function shortName(suite: string): string {
  return basename(suite).replace(/(\.once)?(\.e2e-spec|\.spec)\.ts$/, '');
}
