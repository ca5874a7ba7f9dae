/** Injection token of `FeedbackAlarms`. */
export const FEEDBACK_ALARMS = Symbol('nestjs-emails feedback alarms');

/** A state that an operator should know of. */
export interface FeedbackAlarm {
  code: 'reputation' | 'provider_bad_hour';
  /** The account that it is about. Default: the installation. */
  account?: string;
  /** Distinguishes alarms of one code: the account, or the operator of the recipients' servers. */
  key: string;
  /** When it began. */
  since: Date;
  isOver: boolean;
  /** One line. */
  subject: string;
  /** Sentences, without addresses. */
  text: string;
}

/** Where alarms of this feature go. Called at least once for each begin and each end. */
export interface FeedbackAlarms {
  /** @throws any error: it is called again a minute later */
  say(alarm: FeedbackAlarm): Promise<void> | void;
}
