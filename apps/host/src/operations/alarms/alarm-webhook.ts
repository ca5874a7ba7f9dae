import type { Alarm } from 'nestjs-emails';
import { signedWebhook } from 'nestjs-emails/webhooks';
import type { AlarmChannel } from './alarm-channel.js';

/** Timeout of a request, answer included. Milliseconds. */
const TIMEOUT = 10_000;

/** Alarms as requests to the operator's URL, signed as webhooks are. */
export class AlarmWebhook implements AlarmChannel {
  readonly name = 'ALARM_WEBHOOK_URL';

  constructor(
    private readonly url: string,
    private readonly secret: string,
    private readonly timeout: number = TIMEOUT,
  ) {}

  async send({ code, account, subject, text, since, until }: Alarm, id: string): Promise<void> {
    const data = {
      code,
      account_id: account ?? null,
      subject,
      text,
      since: since.toISOString(),
      until: until?.toISOString() ?? null,
    };
    const type = until ? 'alarm.ended' : 'alarm.began';
    const payload = { type, created_at: (until ?? since).toISOString(), data };
    const { headers, body } = signedWebhook(payload, this.secret, { id: `msg_${id.slice(0, 27)}` });
    const status = await this.post(headers, body);
    if (status < 200 || status > 299) throw new Error(`it answered ${status}`);
  }

  /** A redirect is an answer: the request is for this URL alone. */
  private async post(headers: Record<string, string>, body: string): Promise<number> {
    const signal = AbortSignal.timeout(this.timeout);
    try {
      const response = await fetch(this.url, { method: 'POST', headers, body, redirect: 'manual', signal });
      await response.body?.cancel();
      return response.status;
    } catch {
      // The error's own words may contain the URL.
      throw new Error(signal.aborted ? 'it did not answer in time' : 'it could not be reached');
    }
  }
}
