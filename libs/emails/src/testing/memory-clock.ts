/** The clock of a test: that of the machine, and the time that the test has let pass. */
export class MemoryClock {
  private passed = 0;

  /** Milliseconds since 1970. */
  now(): number {
    return Date.now() + this.passed;
  }

  /**
   * Lets time pass without waiting.
   *
   * @param time milliseconds
   * @throws TypeError for a negative time, and for none
   */
  advance(time: number): void {
    if (!(time >= 0 && time < Number.POSITIVE_INFINITY)) throw new TypeError('`time` must be milliseconds from 0.');
    this.passed += time;
  }
}
