import { type Finding, summarizeRow } from '../report/finding.js';
import type { Figures, Row } from '../rows/row.js';

export interface Bounds {
  /** Limit for each row. */
  rounds: number;
  /** In `performance.now()`. A row is not measured again if a round as long as its last one would end later. */
  deadline: number;
}

interface Attempt {
  row: Row;
  figures: Figures[];
  /** Milliseconds of the last round. */
  took: number;
  held?: Finding;
}

/**
 * Measures every row once, then repeats the rows that did not hold until they do. A single round that holds proves that
 * no speed was lost, because other work on the machine can only make us slower.
 */
export async function untilHeld(
  rows: readonly Row[],
  measure: (row: Row, round: number) => Promise<Figures>,
  holds: (finding: Finding) => boolean,
  { rounds, deadline }: Bounds,
): Promise<Finding[]> {
  const attempts = rows.map((row): Attempt => ({ row, figures: [], took: 0 }));
  for (let round = 0; round < rounds; round++) {
    for (const attempt of attempts.filter(({ held }) => !held)) {
      const began = performance.now();
      if (round > 0 && (attempt.row.once || began + attempt.took > deadline)) continue;
      attempt.figures.push(await measure(attempt.row, round));
      attempt.took = performance.now() - began;
      const alone = summarizeRow(attempt.row, attempt.figures.slice(-1));
      if (holds(alone)) attempt.held = alone;
    }
  }
  return attempts.map(({ row, figures, held }) => held ?? summarizeRow(row, figures));
}
