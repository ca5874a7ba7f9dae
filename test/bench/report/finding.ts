import { median } from '../load/timings.js';
import type { Figures, Row } from '../rows/row.js';

/** Result of a row: medians of its rounds. A ratio is the median of the rounds' ratios, not of their figures. */
export interface Finding {
  name: string;
  title: string;
  figures: Figures;
  ratios: RatioFinding[];
}

export interface RatioFinding {
  what: string;
  value: number;
  atLeast?: number;
  atMost?: number;
  /** See `Ratio`. */
  guard?: number;
  absolute?: true;
  alone?: true;
  /** Undefined without a target. */
  met?: boolean;
}

export function summarizeRow({ name, title, ratios }: Row, rounds: readonly Figures[]): Finding {
  const names = Object.keys(rounds[0] ?? {});
  return {
    name,
    title,
    figures: Object.fromEntries(names.map((each) => [each, median(rounds.map((round) => round[each] ?? Number.NaN))])),
    ratios: ratios.map(({ what, of, atLeast, atMost, guard, absolute, alone }) => {
      const value = median(rounds.map(of));
      return {
        what,
        value,
        ...(absolute && { absolute }),
        ...(alone && { alone }),
        ...(guard !== undefined && { guard }),
        ...(atLeast !== undefined && { atLeast, met: value >= atLeast }),
        ...(atMost !== undefined && { atMost, met: value <= atMost }),
      };
    }),
  };
}
