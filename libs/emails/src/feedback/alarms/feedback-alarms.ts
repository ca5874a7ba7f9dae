import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import type { AlarmCode } from '../../shared/alarms/alarm-codes.js';
import { ALARMS, type AlarmKey, type Alarms, type NewAlarm } from '../../shared/alarms/alarms.js';

type Key = AlarmKey & { code: AlarmCode };

/** Alarms of this feature; without `onAlarm` they go to the log. Called at least once for each begin and each end. */
@Injectable()
export class FeedbackAlarms {
  private readonly logger = new Logger('Feedback');

  constructor(@Optional() @Inject(ALARMS) private readonly alarms?: Alarms) {}

  async begin(alarm: NewAlarm & Key): Promise<void> {
    if (this.alarms?.isOn) await this.alarms.raise(alarm);
    else this.logger.warn(alarm.text);
  }

  /** @param text one sentence for the log */
  async end(text: string, ...alarms: readonly [Key, ...Key[]]): Promise<void> {
    if (!this.alarms?.isOn) this.logger.log(text);
    for (const alarm of alarms) await this.alarms?.end(alarm);
  }

  /**
   * Does what belongs to an alarm. Resolves with false if that failed, which is logged: it has to be repeated.
   *
   * @param subject for the log, such as `account acme`
   */
  async attempt(subject: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      const kind = error instanceof Error ? error.name : 'unknown error';
      this.logger.error(`The alarm about ${subject} failed: ${kind}. It will be tried again.`);
      return false;
    }
  }
}
