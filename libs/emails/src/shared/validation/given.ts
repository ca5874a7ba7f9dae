/** Input for a `T`, a class of a body: optional fields may be absent or null, and a single text counts as a list. */
export type Given<T, Needed extends keyof T = never> = {
  readonly [Name in Needed]: GivenValue<T[Name]>;
} & {
  readonly [Name in Exclude<keyof T, Needed>]?: GivenValue<T[Name]> | null | undefined;
};

/** The same for one field. */
export type GivenValue<V> = V extends readonly string[]
  ? string | V | readonly V[number][]
  : V extends readonly (infer Entry)[]
    ? readonly Entry[]
    : V;
