import type { Stage } from '../support/stage.js';

/** What one round found, by name. Names end in the unit. */
export type Figures = Record<string, number>;

/** A figure's worth in relation to others, and what it should be. */
export interface Ratio {
  what: string;
  of: (figures: Figures) => number;
  atLeast?: number;
  atMost?: number;
  /** The least that `--short` lets pass. Default: a part of what was recorded. */
  guard?: number;
  /** A figure of this machine, not one in relation to another of the same run: no guard holds it. */
  absolute?: true;
  /** Other work on the machine takes more from one side than from the other: `--seconds` does not hold it. */
  alone?: true;
}

/** How much work a round is. */
export interface Scale {
  /** Of one load, after a warm-up. */
  seconds: number;
  /** Emails to deliver. */
  emails: number;
  /** Emails to deliver over a long link. */
  distant: number;
  /** Of posting and delivering at once. */
  sustained: number;
  /** Rows of the table that is paged through. */
  rows: number;
  /** Emails stored when everything is measured again, in turn. */
  growth: readonly number[];
  /** Emails that wait while memory is looked at. */
  waiting: number;
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
  /** Measured once, because it does not vary or takes long. */
  once?: boolean;
  /** @param turn how many rounds came before: see `inTurn` */
  round(stage: Stage, scale: Scale, turn: number): Promise<Figures>;
}

/**
 * Works off what is compared, one after the other, and in every second round the other way round: a machine gets slower
 * while it is used.
 */
export async function inTurn<Name extends string, T>(
  turn: number,
  sides: Record<Name, () => Promise<T>>,
): Promise<Record<Name, T>> {
  const names = Object.keys(sides) as Name[];
  const results: Partial<Record<Name, T>> = {};
  for (const name of turn % 2 === 0 ? names : names.reverse()) results[name] = await sides[name]();
  return results as Record<Name, T>;
}

/** Seconds that one side is measured before the next one is. */
export const SLICE = 1;

/**
 * Measures the sides in slices, one side after the other, until each has had `seconds`. Other work on the machine then
 * slows all of them down alike. Every second slice goes through the sides in reverse.
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
