/** One part of the long proof. */
export interface Part {
  name: string;
  /** One line for docs/faults.md. */
  proves: string;
  /**
   * Files and folders, from the root of the repository, on which its outcome depends. Markdown below a folder does not
   * count; a Markdown file that is named here does.
   */
  inputs: readonly string[];
  /** Run one after the other until one fails, each a program with its arguments. */
  commands: readonly (readonly string[])[];
  /** Timeout, about three times the usual duration. Minutes. */
  limit: number;
  /** Folder of the npm package with the Node that its commands run on. Default: the Node that runs this. */
  node?: string;
  /** Every suite of `.ci/run`, with the samples of its cases in place of all cases. */
  sampled?: true;
}
