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
}

/** How much work a round is. */
export interface Scale {
  /** Of one load, after a warm-up. */
  seconds: number;
  /** Emails to deliver. */
  emails: number;
  /** Of posting and delivering at once. */
  sustained: number;
  /** Rows of the table that is paged through. */
  rows: number;
  /** Emails stored when everything is measured again, in turn. */
  growth: readonly number[];
  /** Emails that wait while memory is looked at. */
  waiting: number;
}

/** One line of the table. */
export interface Row {
  /** For `--only`. */
  name: string;
  title: string;
  ratios: readonly Ratio[];
  /** Measured by `--short`, and guarded. */
  short?: boolean;
  /** Measured once, because it does not vary or takes long. */
  once?: boolean;
  round(stage: Stage, scale: Scale): Promise<Figures>;
}

export const figure = (name: string) => (figures: Figures) => figures[name] ?? Number.NaN;

export const quotient = (of: string, by: string) => (figures: Figures) => figure(of)(figures) / figure(by)(figures);
