import type { Stage } from '../support/stage.js';

/** Figures of one round, by name. Names end in the unit. */
export type Figures = Record<string, number>;

/** The ratio of a figure to others, and its target. */
export interface Ratio {
  what: string;
  of: (figures: Figures) => number;
  atLeast?: number;
  atMost?: number;
  /** Bound for `--short` and `--seconds`. Default: from the recorded value. */
  guard?: number;
  /** A figure of this machine, not relative to another of the same run: it is not guarded. */
  absolute?: true;
  /** Other load on the machine affects one side more than the other: `--seconds` does not guard it without `guard`. */
  alone?: true;
}

/** Amount of work in a round. */
export interface Scale {
  /** Length of one load, after a warm-up. */
  seconds: number;
  /** Emails to deliver. */
  emails: number;
  /** Emails to deliver over a long link. */
  distant: number;
  /** Length of posting and delivering at once. */
  sustained: number;
  /** Rows of the paged table. */
  rows: number;
  /** Emails stored when everything is measured again, in turn. */
  growth: readonly number[];
  /** Emails that wait while memory is looked at. */
  waiting: number;
  /** Emails of one account that wait while others are timed. */
  backlog: number;
}

export interface Guarded {
  /** Estimate for one round with the work of `--seconds`. */
  seconds: number;
  /** Path prefixes of the code that the row measures. */
  about: readonly string[];
}

/** One line of the table. */
export interface Row {
  /** For `--only`. */
  name: string;
  title: string;
  ratios: readonly Ratio[];
  /** Measured by `--short`, and guarded. */
  short?: Guarded;
  /** Measured once, because it is stable or slow. */
  once?: boolean;
  /** @param turn number of earlier rounds: see `inTurn` */
  round(stage: Stage, scale: Scale, turn: number): Promise<Figures>;
}

/**
 * Measures the sides one after the other, and in reverse in every second round, because a machine gets slower under
 * load.
 */
export async function inTurn<Results extends object>(
  turn: number,
  sides: { [Name in keyof Results]: () => Promise<Results[Name]> },
): Promise<Results> {
  const names = Object.keys(sides) as (keyof Results)[];
  const results: Partial<Results> = {};
  for (const name of turn % 2 === 0 ? names : names.reverse()) results[name] = await sides[name]();
  return results as Results;
}

/** Length of a slice of one side. Seconds. */
export const SLICE = 1;

/**
 * Measures the sides in slices, one side after the other, until each has had `seconds`. Other load then slows all of
 * them down alike. Every second slice reverses the order of the sides.
 */
export async function inSlices<Name extends string, T>(
  turn: number,
  seconds: number,
  sides: Record<Name, () => Promise<T>>,
): Promise<Record<Name, T>[]> {
  const slices: Record<Name, T>[] = [];
  while (slices.length * SLICE < seconds) slices.push(await inTurn(turn + slices.length, sides));
  return slices;
}

export const figure = (name: string) => (figures: Figures) => figures[name] ?? Number.NaN;

export const quotient = (of: string, by: string) => (figures: Figures) => figure(of)(figures) / figure(by)(figures);
