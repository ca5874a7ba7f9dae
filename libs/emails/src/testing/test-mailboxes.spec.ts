import { Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { EmailsService } from '../emails/emails.service.js';
import { OnEmailEvent } from '../emails/observation/on-email-event.js';
import type { EmailEvent } from '../emails/ports/event-listener.js';
import { EmailsTestingModule, type EmailsTestingOptions } from './emails-testing.module.js';
import { TestMailboxes } from './test-mailboxes.js';

const EMAIL = { from: 'Shop <shop@from.test>', subject: 'Hello', text: 'Hi' };

/** Code under test, which is slow. */
@Injectable()
class Bounces {
  readonly seen: string[] = [];

  @OnEmailEvent('email.bounced', 'email.complained', 'email.suppressed')
  async note({ type, recipient, reasonCode }: EmailEvent): Promise<void> {
    await new Promise(setImmediate);
    this.seen.push(`${type} ${recipient} ${reasonCode}`);
  }
}

async function compose(options?: EmailsTestingOptions) {
  const imports = [EmailsTestingModule.register(options)];
  const module = await Test.createTestingModule({ imports, providers: [Bounces] }).compile();
  const emails = module.get(EmailsService);
  const send = async (...to: string[]) => (await emails.send('one', { ...EMAIL, to })).id;
  const stateOf = async (id: string) => (await emails.get('one', id))?.last_event;
  const recipientsOf = async (id: string) =>
    (await emails.recipients('one', id))?.data.map(({ address, last_event }) => `${address} ${last_event}`);
  return { emails, mailboxes: module.get(TestMailboxes), seen: module.get(Bounces).seen, send, stateOf, recipientsOf };
}

describe('TestMailboxes', () => {
  it('deliver to addresses of which nothing is known, when they are asked to', async () => {
    const { emails, mailboxes, send, stateOf } = await compose();
    const id = await send('jane@to.test');
    expect(await stateOf(id)).toBe('queued');
    await mailboxes.deliver();
    expect(await stateOf(id)).toBe('delivered');
    const types = async () => (await emails.events('one', id))?.data.map(({ type }) => type);
    expect(await types()).toEqual(['delivered', 'sent', 'queued']);
    await mailboxes.deliver();
    expect(await types()).toHaveLength(3);
    expect((await emails.recipients('one', id))?.data).toMatchObject([{ attempts: 1, next_attempt_at: null }]);
  });

  it('bounce, and are suppressed from then on', async () => {
    const { emails, mailboxes, seen, send, stateOf } = await compose();
    mailboxes.bounce('Gone@to.test');
    const first = await send('gone@to.test');
    await mailboxes.deliver();
    expect(await stateOf(first)).toBe('bounced');
    expect((await emails.events('one', first, { type: 'bounced' }))?.data).toMatchObject([
      { reason: '550 5.1.1 The address does not exist', reason_code: 'address_unknown', source: 'smtp', attempt: 1 },
    ]);
    const second = await send('GONE@to.test');
    await mailboxes.deliver();
    expect(await stateOf(second)).toBe('suppressed');
    expect([mailboxes.isSuppressed('one', 'gone@to.test'), mailboxes.isSuppressed('two', 'gone@to.test')]).toEqual([
      true,
      false,
    ]);
    expect(seen).toEqual(['bounced gone@to.test address_unknown', 'suppressed GONE@to.test previous_bounce']);
    await emails.resend('one', first);
  });

  it('bounce for a reason that suppresses nobody', async () => {
    const { mailboxes, seen, send } = await compose();
    mailboxes.bounce('full@to.test', '552 5.2.2 The mailbox is full');
    await send('full@to.test');
    await mailboxes.deliver();
    expect(seen).toEqual(['bounced full@to.test mailbox_full']);
    expect(mailboxes.isSuppressed('one', 'full@to.test')).toBe(false);
    expect(() => mailboxes.bounce('full@to.test', '452 later')).toThrow(TypeError);
  });

  it('complain about what they got', async () => {
    const { mailboxes, seen, send, stateOf, recipientsOf } = await compose();
    mailboxes.complain('Angry <angry@to.test>');
    const id = await send('angry@to.test', 'jane@to.test');
    await mailboxes.deliver();
    expect(await stateOf(id)).toBe('complained');
    expect(await recipientsOf(id)).toEqual(['angry@to.test complained', 'jane@to.test delivered']);
    await send('angry@to.test');
    await mailboxes.deliver();
    expect(seen).toEqual(['complained angry@to.test undefined', 'suppressed angry@to.test previous_complaint']);
  });

  it('are suppressed for all accounts, or for one', async () => {
    const { emails, mailboxes, send, stateOf, recipientsOf } = await compose();
    mailboxes.suppress('gone@to.test');
    mailboxes.suppress('angry@to.test', { accountId: 'two', reason: 'previous_complaint' });
    const id = await send('gone@to.test', 'angry@to.test');
    await mailboxes.deliver();
    expect(await recipientsOf(id)).toEqual(['gone@to.test suppressed', 'angry@to.test delivered']);
    const other = await emails.send('two', { ...EMAIL, to: 'angry@to.test' });
    await mailboxes.deliver();
    expect((await emails.events('two', other.id))?.data[0]).toMatchObject({
      type: 'suppressed',
      reason: 'An earlier email to this address was reported as spam.',
      reason_code: 'previous_complaint',
    });
    mailboxes.clear();
    const again = await send('gone@to.test');
    await mailboxes.deliver();
    expect(await stateOf(again)).toBe('delivered');
  });

  it('move by reports of the host, and add to the list by those', async () => {
    const { emails, mailboxes, seen, send, stateOf } = await compose();
    const id = await send('jane@to.test');
    await mailboxes.deliver();
    const report = { emailId: id, recipient: 'jane@to.test', kind: 'bounced', source: 'dsn' } as const;
    expect(await emails.report({ ...report, reply: '550 5.1.1 Unknown user' })).toBe('recorded');
    expect(await emails.report(report)).toBe('unchanged');
    await mailboxes.deliver();
    expect([await stateOf(id), mailboxes.isSuppressed('one', 'jane@to.test')]).toEqual(['bounced', true]);
    expect(seen).toEqual(['bounced jane@to.test address_unknown']);
  });

  it('get nothing of held accounts, of the future, or that a policy refuses', async () => {
    const seen: string[] = [];
    const { emails, mailboxes, send, stateOf } = await compose({
      recipientPolicies: [
        {
          decide: async ({ addresses }) =>
            addresses.map((one) => (one === 'no@to.test' ? { allowed: false, code: 'staging' } : { allowed: true })),
        },
      ],
      eventListeners: [{ onEvents: (events) => void seen.push(...events.map(({ type }) => type)) }],
    });
    const later = await emails.send('one', { ...EMAIL, to: 'jane@to.test', scheduled_at: 'in 1 hour' });
    const refused = await send('no@to.test');
    await emails.hold('one', 'Wait.');
    await mailboxes.deliver();
    expect(await stateOf(refused)).toBe('queued');
    await emails.release('one');
    await mailboxes.deliver();
    expect([await stateOf(refused), await stateOf(later.id)]).toEqual(['failed', 'scheduled']);
    expect(seen).toEqual(['scheduled', 'queued', 'failed']);
  });

  it('get nothing while all mail is paused, and everything afterwards', async () => {
    const { emails, mailboxes, send, stateOf } = await compose();
    await emails.pause({ reason: 'Restored.' });
    await emails.pause({ transport: 'relay:25', reason: 'It keeps nothing here.' });
    const id = await send('jane@to.test');
    await mailboxes.deliver();
    expect([await stateOf(id), (await emails.drain({ until: new Date() })).due]).toEqual(['queued', 1]);
    await emails.resume();
    await mailboxes.deliver();
    expect(await stateOf(id)).toBe('delivered');
  });

  it('get what was scheduled once the time has passed', async () => {
    const { emails, mailboxes, stateOf } = await compose();
    const { id } = await emails.send('one', { ...EMAIL, to: 'jane@to.test', scheduled_at: 'in 1 hour' });
    mailboxes.advance(3_590_000);
    await mailboxes.deliver();
    expect(await stateOf(id)).toBe('scheduled');
    for (const wrong of [-1, Number.NaN]) expect(() => mailboxes.advance(wrong)).toThrow(TypeError);
    mailboxes.advance(10_000);
    await mailboxes.deliver();
    expect(await stateOf(id)).toBe('delivered');
  });

  it('get what was scheduled once its time has come', async () => {
    const { emails, mailboxes, stateOf } = await compose();
    const { id } = await emails.send('one', { ...EMAIL, to: 'jane@to.test', scheduled_at: 'in 1 hour' });
    await emails.reschedule('one', id, { scheduled_at: '2020-01-01T00:00:00Z' });
    await mailboxes.deliver();
    expect(await stateOf(id)).toBe('delivered');
    const types = (await emails.events('one', id))?.data.map(({ type }) => type);
    expect(types).toEqual(['delivered', 'sent', 'queued', 'scheduled', 'scheduled']);
  });

  describe('whose names ask for a fault', () => {
    async function timeline(of: Awaited<ReturnType<typeof compose>>, id: string) {
      const { data = [] } = (await of.emails.events('one', id)) ?? {};
      return data.map(({ type, reason_code, attempt }) =>
        [type, reason_code, attempt].filter((one) => one !== null).join(' '),
      );
    }

    it('slow: accept after 30 seconds, and the email is not delayed', async () => {
      const test = await compose();
      const id = await test.send('Slow+1@to.test', 'jane@to.test');
      await test.mailboxes.deliver();
      test.mailboxes.advance(29_000);
      await test.mailboxes.deliver();
      expect(await timeline(test, id)).toEqual(['queued']);
      test.mailboxes.advance(1_000);
      await test.mailboxes.deliver();
      expect(await test.recipientsOf(id)).toEqual(['Slow+1@to.test delivered', 'jane@to.test delivered']);
    });

    it('closed: lose the connection once, with all recipients of the email', async () => {
      const test = await compose();
      const id = await test.send('closed@to.test', 'jane@to.test');
      const other = await test.send('jane@to.test');
      await test.mailboxes.deliver();
      expect(await timeline(test, id)).toEqual([
        'delivery_delayed no_reply 1',
        'delivery_delayed no_reply 1',
        'queued',
      ]);
      expect(await test.stateOf(other)).toBe('delivered');
      test.mailboxes.advance(60_000);
      await test.mailboxes.deliver();
      expect(await test.recipientsOf(id)).toEqual(['closed@to.test delivered', 'jane@to.test delivered']);
      expect((await timeline(test, id)).slice(0, 4)).toEqual(['delivered 2', 'sent 2', 'delivered 2', 'sent 2']);
    });

    it('toomuch: say so for a minute, and only their recipient is delayed', async () => {
      const test = await compose();
      const id = await test.send('toomuch@to.test', 'jane@to.test');
      await test.mailboxes.deliver();
      expect(await test.recipientsOf(id)).toEqual(['toomuch@to.test delivery_delayed', 'jane@to.test delivered']);
      const { data = [] } = (await test.emails.recipients('one', id)) ?? {};
      expect(data[0]).toMatchObject({ reason: '452 4.7.0 Too many messages', attempts: 1 });
      const wait = Date.parse(String(data[0]?.next_attempt_at)) - Date.parse(String(data[0]?.last_attempt_at));
      expect(Math.round(wait / 1_000)).toBe(60);
      test.mailboxes.advance(59_000);
      await test.mailboxes.deliver();
      test.mailboxes.advance(1_000);
      await test.mailboxes.deliver();
      const events = ['delivered 2', 'sent 2', 'delivered 1', 'sent 1', 'delivery_delayed 1', 'queued'];
      expect(await timeline(test, id)).toEqual(events);
    });

    it('dead: are away for ten minutes, while the email is tried on the default schedule', async () => {
      const test = await compose();
      const id = await test.send('dead@to.test');
      const tried: (string | undefined)[] = [];
      for (const minute of [0, 0.5, 1, 5, 6, 10]) {
        test.mailboxes.advance(minute * 60_000);
        await test.mailboxes.deliver();
        tried.push((await timeline(test, id))[0]);
      }
      const delayed = [1, 1, 2, 3].map((attempt) => `delivery_delayed no_reply ${attempt}`);
      expect(tried).toEqual([...delayed, delayed.at(-1), 'delivered 4']);
    });

    it('retry at once when asked to', async () => {
      const test = await compose();
      const id = await test.send('closed@to.test');
      await test.mailboxes.deliver();
      await test.mailboxes.deliver();
      expect(await test.stateOf(id)).toBe('delivery_delayed');
      await test.emails.retry('one', id);
      await test.mailboxes.deliver();
      expect(await test.stateOf(id)).toBe('delivered');
    });

    it('have it under any other name, or none, when the test says so', async () => {
      const test = await compose();
      test.mailboxes.disturb('Jane <jane@to.test>', 'dead');
      test.mailboxes.accept('dead@to.test');
      const [id, other] = [await test.send('JANE@to.test'), await test.send('dead@to.test')];
      await test.mailboxes.deliver();
      expect([await test.stateOf(id), await test.stateOf(other)]).toEqual(['delivery_delayed', 'delivered']);
      test.mailboxes.clear();
      test.mailboxes.advance(60_000);
      await test.mailboxes.deliver();
      expect(await test.stateOf(id)).toBe('delivered');
    });

    it('do not complain about mail that they did not get', async () => {
      const test = await compose();
      test.mailboxes.complain('angry@to.test');
      await test.send('closed@to.test', 'angry@to.test');
      await test.mailboxes.deliver();
      expect(test.seen).toEqual([]);
    });
  });
});
