export interface RecordedSuite {
  /** `project path`. */
  name: string;
  /** 0 without a record. */
  seconds: number;
}

export const ALWAYS: readonly string[];
export const BUDGET: number;

export function chooseSuites<S extends RecordedSuite>(
  suites: readonly S[],
  seed: number,
  budget?: number,
): { chosen: S[]; leftOut: S[] };
