import { RetryPolicy } from '../../shared/work/retry-policy.js';
import type { RecipientOutcome, SmtpReply } from '../ports/email-transport.js';
import type { ReasonCode } from '../states/reason-codes.js';
import type { RecipientState } from '../states/recipient-state.js';
import type { PendingEmail } from '../storage/deliver/delivery.repository.js';
import { hopBits } from '../storage/deliver/hop-bits.js';
import { DEFAULT_RETRY_SCHEDULE } from './retry-schedule.js';
import { type Findings, type SettlementRules, settle, waitFor, waitForPause } from './settlement.js';

const rules: SettlementRules = {
  hop: 'relay',
  onUnknown: 'retry',
  retryPolicy: new RetryPolicy([1000, 2000], () => 0),
};

const recipients = (...statuses: RecipientState['status'][]): RecipientState[] =>
  statuses.map((status, index) => ({ address: `r${index}@x.example`, status }));

const outcomes = (...kinds: RecipientOutcome['outcome'][]): RecipientOutcome[] =>
  kinds.map((outcome, index) => ({ address: `r${index}@x.example`, outcome, reply: { text: `reply ${index}` } }));

const findings = (some: Partial<Findings>): Findings => ({
  recipients: recipients('pending'),
  refused: new Map(),
  outcomes: [],
  attempts: 1,
  ...some,
});

describe('settle', () => {
  it('records sent for a relay, and delivered only for the final hop', () => {
    const accepted = findings({ outcomes: outcomes('accepted') });
    expect(settle(accepted, rules)).toMatchObject({
      lastEvent: 'sent',
      retryIn: null,
      events: [{ type: 'sent', recipient: 'r0@x.example' }],
    });
    const final = settle(accepted, { ...rules, hop: 'final' });
    expect(final.lastEvent).toBe('delivered');
    expect(final.events.map(({ type }) => type)).toEqual(['sent', 'delivered']);
  });

  it('bounces at once on a permanent refusal, with the reply as reason', () => {
    expect(settle(findings({ outcomes: outcomes('rejected') }), rules)).toMatchObject({
      lastEvent: 'bounced',
      retryIn: null,
      events: [{ type: 'bounced', recipient: 'r0@x.example', reason: 'reply 0' }],
    });
  });

  it('records nothing about the address of a recipient whose message was redirected', () => {
    const redirected = { ...rules, isRedirected: true };
    const settled = settle(findings({ outcomes: outcomes('rejected') }), redirected);
    expect(settled.lastEvent).toBe('failed');
    expect(settled.events).toEqual([
      { type: 'failed', recipient: 'r0@x.example', reason: 'reply 0', reasonCode: 'redirect_failed', attempt: 1 },
    ]);
    expect(settled.recipients).toEqual([{ address: 'r0@x.example', status: 'failed', redirected: true }]);
    const full = {
      address: 'r0@x.example',
      outcome: 'deferred',
      reply: { code: 452, text: '452 4.2.2 full' },
    } as const;
    expect(settle(findings({ outcomes: [full] }), redirected).lastEvent).toBe('delivery_delayed');
    expect(settle(findings({ outcomes: [full], attempts: 3 }), redirected).events).toMatchObject([
      { type: 'failed', reasonCode: 'redirect_failed' },
    ]);
    expect(settle(findings({ outcomes: [full], attempts: 3 }), rules).events).toMatchObject([
      { type: 'failed', reasonCode: 'expired' },
    ]);
    expect(settle(findings({ outcomes: outcomes('accepted') }), { ...redirected, hop: 'final' })).toMatchObject({
      lastEvent: 'delivered',
      recipients: [{ status: 'delivered', redirected: true }],
    });
    expect(settle(findings({ outcomes: outcomes('accepted') }), rules).recipients).toEqual(recipients('sent'));
  });

  it('names the kind of a bounce that the transport itself decided', () => {
    const bounceFor = (reasonCode: ReasonCode) =>
      settle(
        findings({ outcomes: [{ address: 'r0@x.example', outcome: 'rejected', reply: { text: 'no', reasonCode } }] }),
        rules,
      ).events[0]?.bounce;
    expect(bounceFor('message_too_large')).toEqual({ type: 'Transient', subType: 'MessageTooLarge' });
    expect(bounceFor('smtputf8_missing')).toEqual({ type: 'Undetermined', subType: 'Undetermined' });
  });

  it('tries a deferred recipient again on the schedule, then fails with the last reply', () => {
    const deferred = (attempts: number) => settle(findings({ outcomes: outcomes('deferred'), attempts }), rules);
    expect([deferred(1), deferred(2), deferred(3)].map(({ lastEvent, retryIn }) => [lastEvent, retryIn])).toEqual([
      ['delivery_delayed', 1000],
      ['delivery_delayed', 2000],
      ['failed', null],
    ]);
    expect(deferred(3).events[0]?.reason).toContain('reply 0');
  });

  it('waits as long as the next hop asks, when that is longer', () => {
    const [outcome] = outcomes('deferred');
    const settled = settle(findings({ outcomes: [{ ...outcome!, retryAfter: 9000 }] }), rules);
    expect(settled.retryIn).toBe(9000);
  });

  it('is tried again after the shortest wait that was asked for any recipient', () => {
    const reported = outcomes('deferred', 'deferred', 'accepted');
    const asked = (...waits: (number | undefined)[]) =>
      settle(
        findings({
          recipients: recipients('pending', 'pending', 'pending'),
          outcomes: reported.map((outcome, n) => ({
            ...outcome,
            ...(waits[n] !== undefined && { retryAfter: waits[n] }),
          })),
        }),
        rules,
      ).retryIn;
    const usual = asked();
    expect(asked(9_000_000)).toBe(usual);
    expect(asked(9_000_000, 8_000_000)).toBe(8_000_000);
    expect(asked(undefined, undefined, 9_000_000)).toBe(usual);
  });

  it('keeps final recipients unchanged and shows the state that needs most attention', () => {
    const settled = settle(
      findings({
        recipients: recipients('delivered', 'pending', 'delivery_delayed', 'pending'),
        outcomes: outcomes('rejected', 'rejected', 'deferred', 'accepted'),
      }),
      rules,
    );
    expect(settled.recipients.map(({ status }) => status)).toEqual([
      'delivered',
      'bounced',
      'delivery_delayed',
      'sent',
    ]);
    expect(settled.lastEvent).toBe('bounced');
    expect(settled.retryIn).toBe(1000);
  });

  it('retries an unknown outcome, or holds it for a human, and marks the attempt', () => {
    const unknown = findings({ outcomes: outcomes('unknown') });
    expect(settle(unknown, rules)).toMatchObject({ lastEvent: 'delivery_delayed', retryIn: 1000, endUnknown: true });
    expect(settle(unknown, { ...rules, onUnknown: 'hold' })).toMatchObject({ lastEvent: 'failed', retryIn: null });
  });

  it('records a reason code where no server gave a reason', () => {
    const codeOf = (
      outcome: RecipientOutcome['outcome'],
      reply: Partial<SmtpReply>,
      some: Partial<SettlementRules> = {},
    ) =>
      settle(findings({ outcomes: [{ address: 'r0@x.example', outcome, reply: { text: 'why', ...reply } }] }), {
        ...rules,
        ...some,
      }).events[0]?.reasonCode;
    expect(codeOf('deferred', { code: 451 })).toBeUndefined();
    expect(codeOf('deferred', {})).toBe('no_reply');
    expect(codeOf('deferred', { reasonCode: 'message_not_made' })).toBe('message_not_made');
    expect(codeOf('rejected', { code: 550, text: '550 5.1.1 nobody' })).toBe('address_unknown');
    expect(codeOf('rejected', { code: 550, text: '550 5.1.1 nobody', stage: 'mail' })).toBe('policy_rejected');
    expect(codeOf('rejected', { reasonCode: 'message_too_large' })).toBe('message_too_large');
    expect(codeOf('unknown', {}, { onUnknown: 'hold' })).toBe('unknown_outcome_held');
    expect(codeOf('accepted', { code: 250 })).toBeUndefined();
  });

  it('records each refused recipient once, and fails when none is left and another policy refused one', () => {
    const refused: Findings['refused'] = new Map([
      ['r0@x.example', { type: 'failed', reason: 'topic_opted_out', reasonCode: 'topic_opted_out' }],
      ['r1@x.example', { type: 'suppressed', reason: 'on the list', reasonCode: 'listed' }],
    ]);
    const three = recipients('pending', 'pending', 'pending');
    const [, , accepted] = outcomes('accepted', 'accepted', 'accepted');
    const partly = settle(findings({ recipients: three, refused, outcomes: [accepted!] }), rules);
    expect(partly.recipients.map(({ status }) => status)).toEqual(['refused', 'suppressed', 'sent']);
    expect(partly.lastEvent).toBe('sent');
    expect(partly.events).toEqual([
      { type: 'failed', recipient: 'r0@x.example', reason: 'topic_opted_out', reasonCode: 'topic_opted_out' },
      { type: 'suppressed', recipient: 'r1@x.example', reason: 'on the list', reasonCode: 'listed' },
      { type: 'sent', recipient: 'r2@x.example', reason: 'reply 2', attempt: 1 },
    ]);
    const nobody = settle(findings({ recipients: recipients('pending', 'pending'), refused, outcomes: null }), rules);
    expect(nobody).toMatchObject({ lastEvent: 'failed', retryIn: null, outcomes: null });
    expect(nobody.events.map(({ type, recipient }) => [type, recipient])).toEqual([
      ['failed', 'r0@x.example'],
      ['suppressed', 'r1@x.example'],
    ]);
    const listed = new Map([...refused].slice(1));
    const all = settle(findings({ recipients: recipients('suppressed', 'pending'), refused: listed }), rules);
    expect(all).toMatchObject({ lastEvent: 'suppressed', retryIn: null });
    expect(all.events.map(({ type, recipient }) => [type, recipient])).toEqual([['suppressed', 'r1@x.example']]);
  });
});

describe('settle at a limit of the sender', () => {
  const reply = { code: 454, text: '454 Throttling failure: Daily message quota exceeded' };
  const limited = (outcome: 'deferred' | 'rejected', address = 'r0@x.example'): RecipientOutcome => ({
    address,
    outcome,
    reply,
  });

  it('waits for its end without an attempt, and records that once', () => {
    const put = settle(findings({ outcomes: [limited('deferred')], pause: 60_000 }), rules);
    expect(put).toMatchObject({ attempts: 0, retryIn: 60_000, lastEvent: 'delivery_delayed' });
    expect(put.events).toEqual([
      { type: 'delivery_delayed', recipient: 'r0@x.example', reason: reply.text, reasonCode: 'sender_limit' },
    ]);
    const again = findings({ recipients: recipients('delivery_delayed'), outcomes: [limited('rejected')], pause: 5 });
    expect(settle(again, rules)).toMatchObject({ attempts: 0, retryIn: 5, events: [], outcomes: again.outcomes });
  });

  it('counts the attempt where another refusal keeps a recipient pending', () => {
    const two = recipients('pending', 'pending');
    const [, other] = outcomes('deferred', 'deferred');
    const mixed = settle(findings({ recipients: two, outcomes: [limited('deferred'), other!], pause: 60_000 }), rules);
    expect(mixed).toMatchObject({ attempts: 1, retryIn: 1000 });
    const [, accepted] = outcomes('accepted', 'accepted');
    const partly = settle(
      findings({ recipients: two, outcomes: [limited('deferred'), accepted!], pause: 60_000 }),
      rules,
    );
    expect(partly).toMatchObject({ attempts: 0, retryIn: 60_000 });
    expect(partly.recipients.map(({ status }) => status)).toEqual(['delivery_delayed', 'sent']);
  });

  it('follows the schedule, without an attempt, where recipients alone met it at a relay', () => {
    const ofRecipient = (outcome: 'deferred' | 'rejected') => ({
      ...limited(outcome),
      reply: { ...reply, stage: 'rcpt' as const },
    });
    const found = (outcome: 'deferred' | 'rejected', age: number) =>
      findings({ outcomes: [ofRecipient(outcome)], age });
    expect(settle(found('deferred', 0), rules)).toMatchObject({
      attempts: 0,
      retryIn: 1000,
      events: [{ type: 'delivery_delayed', reasonCode: 'sender_limit' }],
    });
    expect(settle(found('rejected', 1000), rules)).toMatchObject({ attempts: 0, retryIn: 2000 });
    expect(settle(found('rejected', 3000), rules)).toMatchObject({ attempts: 1, lastEvent: 'bounced' });
    expect(settle(found('deferred', 0), { ...rules, hop: 'final' })).toMatchObject({ attempts: 1, retryIn: 1000 });
    expect(settle(findings({ outcomes: [limited('deferred')] }), rules)).toMatchObject({ attempts: 1 });
  });

  it('counts attempts from the age on at which the retries would have ended', () => {
    const old = findings({ outcomes: [limited('deferred')], pause: 60_000, age: 3_000, attempts: 3 });
    expect(settle(old, rules)).toMatchObject({ attempts: 3, retryIn: null, lastEvent: 'failed' });
    const bounced = findings({ outcomes: [limited('rejected')], pause: 60_000, age: 3_000 });
    expect(settle(bounced, rules).events).toMatchObject([{ type: 'bounced', reasonCode: 'sender_limit' }]);
  });
});

describe('waitFor', () => {
  const bits = hopBits(['mx.test:25']);
  const HOP = { name: 'mx.test:25', reply: { text: 'connect ECONNREFUSED', error: 'ECONNREFUSED' }, bits };
  const email = (age: number, ...statuses: RecipientState['status'][]) =>
    ({ recipients: recipients(...statuses), attempts: 1, age }) as PendingEmail;

  it('delays each pending recipient once, without an attempt, until the hop is back', () => {
    expect(waitFor([HOP], email(0, 'sent', 'delivery_delayed', 'pending'), rules)).toEqual({
      recipients: recipients('sent', 'delivery_delayed', 'delivery_delayed'),
      lastEvent: 'delivery_delayed',
      attempts: 1,
      retryIn: 3_000,
      outcomes: null,
      endUnknown: false,
      events: [
        {
          ...{ type: 'delivery_delayed', recipient: 'r2@x.example', reason: 'connect ECONNREFUSED' },
          ...{ reasonCode: 'no_reply', transport: 'mx.test:25' },
        },
      ],
      waitsFor: `${hopBits(['mx.test:25'])}`,
    });
  });

  it('looks again after minutes, however long the email may wait', () => {
    const patient = { ...rules, retryPolicy: new RetryPolicy(DEFAULT_RETRY_SCHEDULE) };
    expect(waitFor([HOP], email(0, 'pending'), patient).retryIn).toBe(300_000);
  });

  it('fails at the age at which its retries would have ended', () => {
    const end = waitFor([HOP], email(3_000, 'delivery_delayed'), rules);
    expect(end).toMatchObject({ lastEvent: 'failed', retryIn: null, attempts: 1 });
    expect(end.events).toEqual([
      {
        ...{ type: 'failed', recipient: 'r0@x.example', reason: 'connect ECONNREFUSED' },
        ...{ reasonCode: 'expired', transport: 'mx.test:25' },
      },
    ]);
    expect(end).not.toHaveProperty('waitsFor');
  });

  it('waits once, however old the email is: its worker may have been away', () => {
    expect(waitFor([HOP], email(1e9, 'pending'), rules)).toMatchObject({
      lastEvent: 'delivery_delayed',
      retryIn: 3_000,
    });
    const none = { ...rules, retryPolicy: new RetryPolicy([]) };
    expect(waitFor([HOP], email(0, 'pending'), none)).toMatchObject({ lastEvent: 'failed', retryIn: null });
  });
});

describe('an email whose pause has ended', () => {
  const bits = hopBits(['mx.test:25']);
  const HOP = { name: 'mx.test:25', reply: { text: 'connect ECONNREFUSED', error: 'ECONNREFUSED' }, bits };
  const resumed = (age: number, ...states: RecipientState['status'][]) =>
    ({
      attempts: 1,
      age,
      recipients: recipients(...states).map((one) => ({ ...one, resumedAge: 1e9 })),
    }) as PendingEmail;

  it.each(['pending', 'delivery_delayed'] as const)('has all of its retries left when it is %s', (status) => {
    const waiting = waitFor([HOP], resumed(1e9 + 1_000, status), rules);
    expect(waiting).toMatchObject({ lastEvent: 'delivery_delayed', retryIn: 2_000 });
    expect(waiting.recipients).toEqual([{ address: 'r0@x.example', status: 'delivery_delayed', resumedAge: 1e9 }]);
    expect(waitFor([HOP], resumed(1e9 + 3_000, 'delivery_delayed'), rules).lastEvent).toBe('failed');
  });

  it('keeps that through an attempt', () => {
    const [recipient] = resumed(1e9, 'delivery_delayed').recipients as [RecipientState];
    const deferred = { address: recipient.address, outcome: 'deferred' as const, reply: { code: 451, text: 'later' } };
    const settled = settle({ recipients: [recipient], refused: new Map(), outcomes: [deferred], attempts: 1 }, rules);
    expect(settled.recipients).toEqual([recipient]);
  });
});

describe('waitForPause', () => {
  const at = (pause: number, age: number, ...statuses: RecipientState['status'][]) =>
    waitForPause('relay', pause, { recipients: recipients(...statuses), attempts: 1, age } as PendingEmail, rules);

  it('delays each pending recipient once, without an attempt, until the end of the pause', () => {
    expect(at(2_000, 0, 'sent', 'delivery_delayed', 'pending')).toEqual({
      recipients: recipients('sent', 'delivery_delayed', 'delivery_delayed'),
      lastEvent: 'delivery_delayed',
      attempts: 1,
      retryIn: 2_000,
      outcomes: null,
      endUnknown: false,
      events: [
        {
          ...{ type: 'delivery_delayed', recipient: 'r2@x.example', reasonCode: 'sender_limit', transport: 'relay' },
          reason: 'The next hop refuses mail of the sender for a time.',
        },
      ],
    });
    expect(at(900_000, 1_000, 'delivery_delayed')).toMatchObject({ retryIn: 2_000, events: [] });
  });

  it('fails at the age at which its retries would have ended, after one wait', () => {
    expect(at(900_000, 1e9, 'pending')).toMatchObject({ lastEvent: 'delivery_delayed', retryIn: 3_000 });
    const end = at(900_000, 3_000, 'delivery_delayed');
    expect(end).toMatchObject({ lastEvent: 'failed', retryIn: null, attempts: 1 });
    expect(end.events).toMatchObject([{ type: 'failed', recipient: 'r0@x.example', reasonCode: 'expired' }]);
  });
});
