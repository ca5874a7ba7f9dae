import { type Alarm, ApiError, type EmailEvent, type EmailsService, OnEmailEvent } from 'nestjs-emails';
import type { Logger } from 'pino';
import { ALARM_ACCOUNT } from '../../config/alarm-account.js';
import type { AlarmChannel } from './alarm-channel.js';

/** Characters of an alarm's subject in the subject of the email. */
const MAX_SUBJECT = 100;

/** Alarms as emails of an account of their own. They leave through the next hop, and wait while that is down. */
export class AlarmMail implements AlarmChannel {
  readonly name = 'ALARM_TO';

  constructor(
    private readonly to: readonly string[],
    private readonly from: string,
    private readonly emails: Pick<EmailsService, 'send'>,
    private readonly logger: Pick<Logger, 'error'>,
  ) {}

  async send(alarm: Alarm, id: string): Promise<void> {
    const { from, to } = this;
    const email = { from, to: [...to], subject: subjectOf(alarm), text: textOf(alarm) };
    try {
      await this.emails.send(ALARM_ACCOUNT, email, { idempotencyKey: `alarm-${id}` });
    } catch (error) {
      // The error's own words may contain addresses.
      throw new Error(`the email was not accepted (${error instanceof ApiError ? error.name : 'database'})`);
    }
  }

  /** Its acceptance was the end of the alarm for its channel. */
  @OnEmailEvent('email.bounced', 'email.failed', 'email.suppressed')
  onFailure({ accountId, emailId, type, reasonCode }: EmailEvent): void {
    if (accountId !== ALARM_ACCOUNT) return;
    this.logger.error({ emailId, reason: reasonCode }, `An alarm did not reach an address of ALARM_TO: ${type}.`);
  }
}

function subjectOf({ code, subject, until }: Alarm): string {
  return `${until ? 'Ended' : 'Alarm'}: ${code} (${inLine(subject).slice(0, MAX_SUBJECT)})`;
}

function inLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function textOf({ code, account, subject, text, since, until }: Alarm): string {
  const lines = [
    text,
    '',
    `Alarm: ${code}`,
    `Subject: ${inLine(subject)}`,
    ...(account === undefined ? [] : [`Account: ${account}`]),
    `Since: ${since.toISOString()}`,
    ...(until ? [`Ended: ${until.toISOString()}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}
