import type { Alarm } from 'nestjs-emails';

/** A way to people. */
export interface AlarmChannel {
  /** For the log. */
  readonly name: string;

  /**
   * Rejects when the alarm has to be sent again. The message of the error may be logged.
   *
   * @param id the same each time for one begin, and for one end
   */
  send(alarm: Alarm, id: string): Promise<void>;
}
