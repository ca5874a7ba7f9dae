/** One promise of a port, with a way to find out whether an implementation keeps it. Any test runner can run it. */
export interface ContractCase {
  /** What is promised: the name of a test. */
  name: string;
  /** Rejects with an `AssertionError` that says what is wrong, or with what the implementation fails with. */
  run: () => Promise<void>;
}

/** Makes the implementation that is checked. Called for each case, so that none depends on another. */
export type Make<T> = () => T | Promise<T>;
