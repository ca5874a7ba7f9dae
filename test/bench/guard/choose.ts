import type { Random } from '../../support/basics/random.js';
import type { Row } from '../rows/row.js';

export type GuardedRow = Pick<Row, 'name'> & Required<Pick<Row, 'short'>>;

export interface Choice<R extends GuardedRow> {
  /** In the order of measurement. */
  chosen: { row: R; changed: boolean }[];
  leftOut: R[];
}

/** Estimate for starting and stopping the servers. Seconds. */
export const SETUP = 6;

export function isGuarded<R extends Pick<Row, 'short'>>(row: R): row is R & GuardedRow {
  return row.short !== undefined;
}

/**
 * Chooses as many rows as fit: rows of changed code first, then the others, both in random order. A row that does not
 * fit into the remaining time is skipped.
 *
 * @param changed paths of changed files
 * @param seconds for the servers and one round of each row
 */
export function chooseRows<R extends GuardedRow>(
  rows: readonly R[],
  changed: readonly string[],
  random: Random,
  seconds: number,
): Choice<R> {
  const drawn = rows
    .map((row) => ({ row, changed: isAbout(row, changed), position: random.next() }))
    .sort((a, b) => Number(b.changed) - Number(a.changed) || a.position - b.position);
  const choice: Choice<R> = { chosen: [], leftOut: [] };
  let left = seconds - SETUP;
  for (const { row, changed } of drawn) {
    if (row.short.seconds > left) {
      choice.leftOut.push(row);
    } else {
      left -= row.short.seconds;
      choice.chosen.push({ row, changed });
    }
  }
  return choice;
}

export function describeChoice({ chosen, leftOut }: Choice<GuardedRow>): string {
  const names = (rows: readonly GuardedRow[]) => rows.map(({ name }) => name).join(', ') || 'none';
  const rowsThat = (are: boolean) => names(chosen.filter(({ changed }) => changed === are).map(({ row }) => row));
  return `Rows of changed code: ${rowsThat(true)}; by the seed: ${rowsThat(false)}; left out: ${names(leftOut)}.`;
}

function isAbout({ short: { about } }: GuardedRow, changed: readonly string[]): boolean {
  return changed.some((path) => about.some((prefix) => path.startsWith(prefix)));
}
