import type { AlarmKey, NewAlarm } from '../../shared/alarms/alarms.js';

/** An alarm as `onAlarm` gets it. */
export interface Alarm extends AlarmKey {
  since: Date;
  /** When it ended; absent at the begin. */
  until?: Date;
  text: string;
}

/**
 * Called once when an alarm begins and once when it ends, in this order, by one process with workers. At least once: a
 * process that dies during the call is followed by another one. A call that fails, or takes more than 30 s, is tried again
 * for a day. The same alarm may begin again before its end was notified; `since` distinguishes the two.
 */
export type OnAlarm = (alarm: Alarm) => void | Promise<void>;

/** An alarm that is on. */
export interface OpenAlarm extends AlarmKey {
  since: Date;
}

/**
 * Alarms that are found by looking, in place of `Alarms.raise` and `end`. One process of all asks every 10 seconds, and
 * only with `onAlarm`.
 */
export interface AlarmSource {
  /** All codes of its alarms. No one else raises them. */
  readonly codes: readonly string[];

  /**
   * The alarms that are on. One that is missing ends. If it rejects or takes more than 5 s, nothing begins or ends.
   *
   * @param open those of its codes that are on, so that an alarm may begin and end at different values
   */
  active(open: readonly OpenAlarm[]): Promise<readonly NewAlarm[]>;
}
