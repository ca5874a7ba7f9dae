/** One promise of a port, with a check whether an implementation keeps it. Any test runner can run it. */
export interface ContractCase {
  /** The promise: the name of a test. */
  name: string;
  /** Rejects with an `AssertionError` that says what is wrong, or with the implementation's own error. */
  run: () => Promise<void>;
}

/** Makes the implementation under test. Called for each case, so that cases are independent. */
export type Make<T> = () => T | Promise<T>;
