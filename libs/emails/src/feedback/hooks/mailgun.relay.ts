import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isBehindTls } from '../../shared/http/is-behind-tls.js';
import { FEEDBACK_LIMITS } from '../limits.js';
import type { HookTokenRepository } from './hook-token.repository.js';
import { CLOCKS, isRecent, unixTime } from './is-recent.js';
import { JsonView } from './json-view.js';
import type { Relay, RelayPost } from './relay.js';
import { type RelayReport, relayReport } from './relay-report.js';
import { hardBounce, RELAY_CODES, softBounce, type Verdict } from './relay-verdicts.js';
import { replyText } from './reply-text.js';
import { sameText } from './same-text.js';
import { unproven } from './unproven.js';

const AGE = FEEDBACK_LIMITS.mailgunAge.max;

/**
 * Webhooks of Mailgun (documentation.mailgun.com/docs/mailgun/user-manual/webhooks, read 2026-11-26). The signature covers
 * its time and a token, not the event: a reader on the way could use it for another event. So requests must come by TLS, and
 * a token counts for one body.
 */
export class MailgunRelay implements Relay {
  /** @param key the HTTP webhook signing key */
  constructor(
    private readonly key: string,
    private readonly tokens: Pick<HookTokenRepository, 'claim' | 'use'>,
  ) {}

  admit(request: IncomingMessage): void {
    if (isBehindTls(request)) return;
    throw unproven(
      "Mailgun's webhooks need https: set such a URL there. A proxy in front of this host sets `X-Forwarded-Proto`.",
    );
  }

  async read(body: Buffer): Promise<RelayPost> {
    const posted = JsonView.ofUnproven(body).orRefuse('an event of Mailgun');
    const { token, time } = this.verified(posted.at('signature'));
    const reports = reportsOf(posted.at('event-data'));
    if (reports.length === 0) return { reports };
    const claimed = { token, body, expiresAt: new Date(time + AGE + CLOCKS) };
    if (!(await this.tokens.claim(claimed))) throw unproven('The token of this request was used before.');
    return { reports, recorded: () => this.tokens.use(claimed) };
  }

  /** An account's key signs the events of its subaccounts as well, in `parent-signature`. */
  private verified(signature: JsonView): { token: string; time: number } {
    const token = signature.at('token').exact ?? '';
    const timestamp = signature.at('timestamp').text ?? '';
    const time = unixTime(timestamp);
    const expected = createHmac('sha256', this.key)
      .update(timestamp + token)
      .digest('hex');
    const given = [signature.at('signature').exact ?? '', signature.at('parent-signature').exact ?? ''];
    const isSigned = given.some((one) => sameText(one, expected));
    if (token !== '' && isSigned && isRecent(time, AGE)) return { token, time };
    throw unproven('This request has no valid, recent signature of Mailgun.');
  }
}

function reportsOf(event: JsonView): RelayReport[] {
  const status = event.at('delivery-status');
  const ids = {
    emailId: event.at('user-variables').at('email_id').text,
    messageId: event.at('message').at('headers').at('message-id').text,
    recipient: event.at('recipient').text,
    at: unixTime(event.at('timestamp').text),
  };
  const reply = replyText({
    code: status.at('code').text,
    status: status.at('enhanced-code').text,
    text: status.at('message').text ?? status.at('description').text,
  });
  switch (event.at('event').exact) {
    case 'failed':
      return [failure(event, ids, reply)];
    case 'rejected':
      return [
        relayReport('failed', {
          ...ids,
          code: RELAY_CODES.rejected,
          reply: event.at('reject').at('reason').text ?? reply,
        }),
      ];
    case 'delivered':
      return [relayReport('delivered', { ...ids, reply })];
    case 'complained':
      return [relayReport('complained', ids)];
    default:
      return [];
  }
}

/** Mailgun gives up with the reason `old` and the severity of the last attempt, which may be temporary. */
function failure(event: JsonView, ids: object, reply: string | undefined): RelayReport {
  const reason = event.at('reason').text ?? '';
  if (reason.startsWith('suppress-')) {
    return relayReport('failed', { ...ids, code: RELAY_CODES.suppressed, reply: reply ?? reason });
  }
  if (reason === 'old') return relayReport('bounced', { ...ids, ...softBounce(reply) });
  if (event.at('severity').exact !== 'permanent') return relayReport('deferred', { ...ids, reply });
  return relayReport('bounced', { ...ids, ...verdict(event.at('delivery-status').at('bounce-type').exact, reply) });
}

/** Mailgun calls every 5yz permanent: only a hard bounce is about the address. */
function verdict(bounceType: string | undefined, reply: string | undefined): Verdict {
  if (bounceType === 'hard') return hardBounce(reply);
  return bounceType === 'soft' || reply === undefined ? softBounce(reply) : { reply };
}
