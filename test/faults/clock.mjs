/**
 * `node --import`: a process whose clock is wrong by `FAULTS_CLOCK_SHIFT` milliseconds. Timers and `performance.now()`
 * are right.
 */
const shift = Number(process.env.FAULTS_CLOCK_SHIFT);
const RightDate = Date;

class WrongDate extends RightDate {
  constructor(...parts) {
    super(...(parts.length === 0 ? [RightDate.now() + shift] : parts));
  }

  static now() {
    return RightDate.now() + shift;
  }
}

globalThis.Date = WrongDate;
