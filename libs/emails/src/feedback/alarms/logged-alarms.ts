import { Injectable, Logger } from '@nestjs/common';
import type { FeedbackAlarm, FeedbackAlarms } from './feedback-alarms.js';

/** Writes alarms to the log. */
@Injectable()
export class LoggedAlarms implements FeedbackAlarms {
  private readonly logger = new Logger('Feedback');

  say({ isOver, subject, text }: FeedbackAlarm): void {
    if (isOver) this.logger.log(`${subject} ${text}`);
    else this.logger.warn(`${subject} ${text}`);
  }
}
