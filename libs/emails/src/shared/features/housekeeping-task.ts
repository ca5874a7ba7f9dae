/** Background work of a feature, such as the deletion of old rows. */
export interface HousekeepingTask {
  /** Delay between the end of a run and the next start. Milliseconds. */
  readonly interval: number;

  /** One small step, which locks few rows for a short time. Resolves with true when there is more to do. */
  step(): Promise<boolean>;
}
