/** Connects a subscription that counts with the watch that judges, which would need each other otherwise. */
export class Notice {
  private wake = () => {};

  /** @param wake is called after counts were committed by this process */
  watch(wake: () => void): void {
    this.wake = wake;
  }

  /** Counts were committed. */
  note(): void {
    this.wake();
  }
}
