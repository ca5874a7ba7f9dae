/** A guard, and the test that fails without it. */
export interface Guard {
  /** Its refusal or limit, in the words of SECURITY.md. */
  guard: string;
  /** The test file, by its name: see `locate`. */
  suite: string;
  /** The test's name in that file. */
  test: string;
  /** How it is taken out. */
  edits: readonly Edit[];
}

/** Replaces the single occurrence of a text in the source file with this name (see `locate`). */
export type Edit = readonly [file: string, find: string, replace: string];

export interface Threat {
  title: string;
  guards: readonly Guard[];
}

/** Placeholders of `it.each` in the name of a test. */
export const PLACES = /%[.\d]*[sdjp]/g;
