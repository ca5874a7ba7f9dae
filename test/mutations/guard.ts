/** A guard, and the test that fails when it is taken out. */
export interface Guard {
  /** What it refuses or bounds, as SECURITY.md says it. */
  guard: string;
  /** The test file, by its name: see `locate`. */
  suite: string;
  /** The test's name as it is written there. */
  test: string;
  /** How it is taken out. */
  edits: readonly Edit[];
}

/** In the source file with this name (see `locate`) this text, which is there once, becomes that one. */
export type Edit = readonly [file: string, find: string, replace: string];

export interface Threat {
  title: string;
  guards: readonly Guard[];
}

/** What `it.each` puts values into, in the name of a test. */
export const PLACES = /%[.\d]*[sdjp]/g;
