import { text } from 'node:stream/consumers';
import { jest } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { EntityManager } from 'typeorm';
import { EmailsService } from '../emails/emails.service.js';
import type { EmailsFeature } from '../emails/features/emails-feature.js';
import { EmailsTestingModule, type EmailsTestingOptions } from './emails-testing.module.js';
import { SentEmails } from './sent-emails.js';

const EMAIL = { from: 'Shop <shop@from.test>', to: 'Jane <jane@to.test>', subject: 'Hello', text: 'Hi' };

async function compose(options?: EmailsTestingOptions) {
  const module = await Test.createTestingModule({ imports: [EmailsTestingModule.register(options)] }).compile();
  return { emails: module.get(EmailsService), sent: module.get(SentEmails) };
}

describe('EmailsTestingModule', () => {
  it('records what was sent', async () => {
    const { emails, sent } = await compose();
    const { id } = await emails.send('one', {
      ...EMAIL,
      bcc: ['audit@from.test'],
      headers: { 'X-Order': '7' },
      attachments: [{ filename: 'a.txt', content: Buffer.from('abc') }, { path: 'https://files.test/b.pdf' }],
    });
    expect(sent.only()).toMatchObject({
      ...EMAIL,
      id,
      accountId: 'one',
      to: ['Jane <jane@to.test>'],
      headers: { 'X-Order': '7' },
      html: null,
      attachments: [{ filename: 'a.txt', content_type: 'text/plain', content: Buffer.from('abc') }, {}],
    });
    expect(sent.to('jane@to.test')).toEqual([sent.last]);
    expect(sent.to('audit@from.test')).toHaveLength(1);
    expect(sent.to('nobody@to.test')).toEqual([]);
    sent.clear();
    expect(sent.all).toEqual([]);
    expect(() => sent.only()).toThrow('There were 0.');
  });

  it('asks the ports of features', async () => {
    @Injectable()
    class Nothing {
      find = async () => undefined;
    }
    const { emails } = await compose({ features: [{ name: 'none', providers: [Nothing], templateSource: Nothing }] });
    const sending = emails.send('one', { from: EMAIL.from, to: EMAIL.to, template: { id: 'welcome' } });
    await expect(sending).rejects.toThrow('`template.id` must be the id or alias of a published template.');
  });

  it('shows the timeline of an email that is never delivered', async () => {
    const { emails } = await compose();
    const { id } = await emails.send('one', { ...EMAIL, cc: 'b@to.test' });
    const event = { type: 'queued', recipient: null, source: 'api', attempt: null };
    expect(await emails.events('one', id)).toMatchObject({ has_more: false, data: [event] });
    expect((await emails.events('one', id, { type: 'sent' }))?.data).toEqual([]);
    const pending = { last_event: 'queued', attempts: 0 };
    expect((await emails.recipients('one', id))?.data).toMatchObject([
      { ...pending, address: 'jane@to.test', field: 'to' },
      { ...pending, address: 'b@to.test', field: 'cc' },
    ]);
    expect(await emails.events('two', id)).toBeUndefined();
    expect((await emails.metrics('one', { metrics: 'sent' })).totals).toEqual({ sent: 0 });
  });

  it('asks sender policies, and refuses reports of an email that is never delivered', async () => {
    const decide = jest.fn(({ from }: { from: string }) =>
      from === 'shop@from.test'
        ? { allowed: true as const }
        : { allowed: false as const, code: 'not_verified', message: 'Verify it.' },
    );
    const { emails, sent } = await compose({ senderPolicies: [{ decide }] });
    const { id } = await emails.send('one', EMAIL, { key: { apiKeyId: 'key' } });
    expect(decide).toHaveBeenCalledWith({ accountId: 'one', from: 'shop@from.test', apiKeyId: 'key' });
    const refused = { statusCode: 403, name: 'invalid_access', message: 'Verify it.' };
    await expect(emails.send('one', { ...EMAIL, from: 'a@other.test' })).rejects.toMatchObject(refused);
    expect(sent.only()).toMatchObject({ id });
    const report = { emailId: id, recipient: 'jane@to.test', kind: 'bounced', source: 'dsn' } as const;
    expect(await emails.report(report)).toBe('unchanged');
    expect(await emails.report({ ...report, recipient: 'bob@to.test' })).toBe('unknown_recipient');
    expect(await emails.report({ ...report, accountId: 'two' })).toBe('unknown_email');
    await expect(emails.report({ ...report, kind: 'opened' as never })).rejects.toThrow(TypeError);
  });

  it('normalises other spellings, and times in English', async () => {
    const { emails, sent } = await compose();
    const before = Date.now();
    await emails.send('one', { ...EMAIL, tags: { plan: 'pro' }, headers: { 'X-N': 7 }, scheduled_at: 'in 1 hour' });
    expect(sent.only()).toMatchObject({ tags: [{ name: 'plan', value: 'pro' }], headers: { 'X-N': '7' } });
    expect(Date.parse(sent.only().scheduled_at ?? '') - before).toBeGreaterThanOrEqual(3_600_000);
    await expect(emails.send('one', { ...EMAIL, scheduled_at: 'soon' })).rejects.toMatchObject({ statusCode: 422 });
  });

  it('shows the priority of sent emails', async () => {
    const { emails, sent } = await compose();
    const { id } = await emails.send('one', { ...EMAIL, priority: 'bulk' });
    await emails.send('one', EMAIL);
    expect(sent.all.map(({ priority }) => priority)).toEqual(['bulk', 'now']);
    expect(await emails.get('one', id)).toMatchObject({ priority: 'bulk' });
    await expect(emails.send('one', { ...EMAIL, priority: 'low' as never })).rejects.toMatchObject({ statusCode: 422 });
  });

  it('shows, reschedules and cancels sent emails', async () => {
    const { emails } = await compose();
    const { id } = await emails.send('one', { ...EMAIL, tags: { plan: 'pro' }, scheduled_at: 'in 1 hour' });
    const changed = { object: 'email', id };
    expect(await emails.reschedule('one', id, { scheduled_at: '2096-11-21T05:26:01Z' })).toEqual(changed);
    expect(await emails.get('one', id)).toMatchObject({
      last_event: 'scheduled',
      scheduled_at: '2096-11-21 05:26:01.000000+00',
      tags: [{ name: 'plan', value: 'pro' }],
    });
    expect([await emails.cancel('one', id), await emails.cancel('one', id)]).toEqual([changed, changed]);
    expect(await emails.get('one', id)).toMatchObject({ last_event: 'canceled' });
    const late = emails.reschedule('one', id, { scheduled_at: 'in 1 hour' });
    await expect(late).rejects.toMatchObject({ statusCode: 422, message: expect.stringContaining('`canceled`') });
    await expect(emails.cancel('two', id)).rejects.toMatchObject({ statusCode: 404 });
  });

  it('refuses by the real rules, and records nothing', async () => {
    const { emails, sent } = await compose();
    const refused = { ...EMAIL, to: 'a@b.c, d@e.f' };
    await expect(emails.send('one', refused)).rejects.toMatchObject({ statusCode: 422, name: 'validation_error' });
    await expect(emails.send('one', { ...EMAIL, topic_id: 'x' })).rejects.toMatchObject({ statusCode: 422 });
    expect(sent.all).toEqual([]);
  });

  it('knows idempotency keys, per account', async () => {
    const { emails, sent } = await compose();
    const options = { idempotencyKey: 'k' };
    const first = await emails.send('one', EMAIL, options);
    expect(await emails.send('one', EMAIL, options)).toEqual(first);
    expect(await emails.send('two', EMAIL, options)).not.toEqual(first);
    await expect(emails.send('one', { ...EMAIL, text: 'Ho' }, options)).rejects.toMatchObject({ statusCode: 409 });
    expect(sent.all.map(({ accountId }) => accountId)).toEqual(['one', 'two']);
  });

  it('knows message ids, per account', async () => {
    const { emails, sent } = await compose();
    const email = { ...EMAIL, message_id: '<order-1@shop.test>' };
    const { id } = await emails.send('one', email);
    expect(await emails.get('one', id)).toMatchObject({ message_id: email.message_id });
    const made = (await emails.get('one', (await emails.send('one', EMAIL)).id))?.message_id;
    for (const message_id of [email.message_id, made]) {
      const refusal = { statusCode: 422, message: expect.stringContaining('`message_id` must be unique') };
      await expect(emails.send('one', { ...EMAIL, message_id })).rejects.toMatchObject(refusal);
      await emails.send('two', { ...EMAIL, message_id });
    }
    expect(sent.all).toHaveLength(4);
  });

  it('reports every erasure as done', async () => {
    const { emails } = await compose();
    const { id } = await emails.erase('one', 'jane@to.test');
    expect(await emails.erasure('one', id)).toEqual({ object: 'erasure', id, status: 'finished' });
    expect(await emails.erasure('two', id)).toBeUndefined();
    await expect(emails.erase('one', 'jane')).rejects.toMatchObject({ statusCode: 422 });
  });

  it('repeats the first answer after a time in English has passed', async () => {
    const { emails } = await compose();
    const email = { ...EMAIL, scheduled_at: 'Sunday 22 November at 12:05' };
    jest.useFakeTimers({
      now: Date.parse('2026-11-22T12:00:00Z'),
      doNotFake: ['nextTick', 'setImmediate', 'setTimeout'],
    });
    try {
      const first = await emails.send('one', email, { idempotencyKey: 'k' });
      jest.setSystemTime(Date.parse('2026-11-22T12:10:00Z'));
      expect(await emails.send('one', email, { idempotencyKey: 'k' })).toEqual(first);
    } finally {
      jest.useRealTimers();
    }
  });

  it('records renderings of the template source it is given', async () => {
    const variables = [{ key: 'NAME', type: 'string' as const, fallback: null }];
    const template = {
      from: EMAIL.from,
      subject: 'Hi {{NAME}}',
      replyTo: [],
      html: null,
      text: '{{NAME}}!',
      variables,
    };
    const { emails, sent } = await compose({ templateSource: { find: async () => template } });
    await emails.send('one', { to: 'jane@to.test', template: { id: 'welcome', variables: { NAME: 'Jane' } } });
    expect(sent.only()).toMatchObject({ from: EMAIL.from, subject: 'Hi Jane', text: 'Jane!' });
  });

  it('takes whatever could be a transaction, and refuses the rest', async () => {
    const { emails, sent } = await compose();
    const transaction = { query: async () => ({ rows: [] }) };
    const { id } = await emails.send('one', EMAIL, { transaction });
    emails.wake([id, 'none']);
    expect(sent.all).toHaveLength(1);
    await expect(emails.send('one', EMAIL, { transaction: {} as EntityManager })).rejects.toThrow('`transaction` must');
    expect(sent.all).toHaveLength(1);
  });

  it('asks each port of its features, also where two name their providers alike', async () => {
    const asked: string[] = [];
    const RULE = Symbol('rule');
    const rule = (name: string): EmailsFeature => ({
      name,
      providers: [{ provide: RULE, useValue: { decide: async () => asked.push(name) && { allowed: true } } }],
      senderPolicies: [RULE],
    });
    const { emails } = await compose({ features: [rule('one'), rule('other')] });
    await emails.send('one', EMAIL);
    expect(asked).toEqual(['one', 'other']);
  });

  it.each<[string, object, string]>([
    ['an uncalled feature', { features: [() => {}] }, '`features[0]` must be a feature (got a function)'],
    [
      'a port that is there twice',
      {
        features: [{ name: 'topics', providers: [{ provide: 'p', useValue: {} }], topicPolicy: 'p' }],
        topicPolicy: { exists: async () => true, decide: async () => [] },
      },
      '`topicPolicy` is brought by the feature `topics`: leave one of both out',
    ],
  ])('refuses %s', (_, options, message) => {
    expect(() => EmailsTestingModule.register(options)).toThrow(`EmailsTestingModule: ${message}`);
  });

  it('refuses options of a call that there are not', async () => {
    const { emails } = await compose();
    const asAny = emails as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
    const id = '0b6ee9b0-4f2e-4d0c-8f0e-6f2f4b1d3c5a';
    for (const [method, ...args] of [
      ['send', EMAIL, { manager: {} }],
      ['sendBatch', [EMAIL], { manager: {} }],
      ['resend', id, {}, { manager: {} }],
    ] as const) {
      await expect(asAny[method]?.('one', ...args)).rejects.toThrow(
        /^EmailsService\.\w+: `manager` is (no option|now `transaction`)\.$/,
      );
    }
    await expect(asAny.send?.('one', EMAIL, { idempotency_key: 'a' })).rejects.toThrow(
      '`idempotency_key` is no option; did you mean `idempotencyKey`?',
    );
    await expect(asAny.get?.('one', id, { room: 1 })).rejects.toThrow('`room` is no option');
    const undefinedIsNone = { manager: undefined };
    await emails.send('one', EMAIL, undefinedIsNone as object);
  });

  it('gets and lists, newest first', async () => {
    const { emails } = await compose();
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) ids.unshift((await emails.send('one', EMAIL)).id);
    await emails.send('two', EMAIL);
    const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
    expect(idsOf(await emails.list('one'))).toEqual(ids);
    const page = await emails.list('one', { limit: 1, after: ids[0] });
    expect([idsOf(page), page.has_more]).toEqual([[ids[1]], true]);
    expect(idsOf(await emails.list('one', { before: ids[2] }))).toEqual(ids.slice(0, 2));
    expect(await emails.get('one', ids[0] ?? '')).toMatchObject({ id: ids[0], last_event: 'queued', bcc: [] });
    expect(await emails.get('two', ids[0] ?? '')).toBeUndefined();
  });

  it('has the attachments of sent emails, and links without a target', async () => {
    const { emails } = await compose();
    const attachments = ['a', 'b'].map((name) => ({ filename: `${name}.txt`, content: Buffer.from('abc') }));
    const { id } = await emails.send('one', { ...EMAIL, attachments });
    const { data } = await emails.attachments('one', id);
    expect(data).toMatchObject([{ filename: 'a.txt', size: 3 }, { filename: 'b.txt' }]);
    expect(await emails.attachments('one', id, { limit: 1, before: data[1]?.id })).toMatchObject({
      data: [{ id: data[0]?.id }],
    });
    expect(await emails.attachment('one', id, data[1]?.id ?? '')).toMatchObject({
      object: 'attachment',
      id: data[1]?.id,
    });
    expect((await emails.share('one', id)).url).toMatch(/^https:\/\/emails\.test\/files\//);
    for (const asked of [emails.attachments('two', id), emails.attachment('one', id, id), emails.share('two', id)]) {
      await expect(asked).rejects.toMatchObject({ statusCode: 404 });
    }
    await expect(emails.attachments('one', 'x')).rejects.toMatchObject({ name: 'invalid_parameter' });
    await expect(emails.share('one', id, { expires_in: 'soon' })).rejects.toMatchObject({ statusCode: 422 });
  });

  it('shows a sent email as the message that would be sent', async () => {
    const { emails } = await compose();
    const attachments = [{ filename: 'a.txt', content: Buffer.from('abc') }];
    const { id } = await emails.send('one', { ...EMAIL, bcc: 'audit@from.test', attachments });
    const source = async () => {
      const message = await emails.source('one', id);
      return message && (await text(message));
    };
    expect(await source()).toMatch(new RegExp(`^From: Shop <shop@from\\.test>\r\n[^]*<${id}@[^]*\r\nYWJj\r\n`));
    expect(await source()).toBe(await source());
    expect(await source()).not.toContain('audit@from.test');
    expect(await emails.source('two', id)).toBeUndefined();
    expect(await emails.source('one', 'no-uuid')).toBeUndefined();
  });

  it('accepts batches, in both modes and once per key', async () => {
    const { emails, sent } = await compose();
    const batch = [EMAIL, { ...EMAIL, to: 'nobody' }, { ...EMAIL, subject: 'Third' }];
    await expect(emails.sendBatch('one', batch)).rejects.toMatchObject({
      statusCode: 422,
      message: expect.stringContaining('[1].to'),
    });
    expect(sent.all).toEqual([]);
    const options = { validation: 'permissive', idempotencyKey: 'k' } as const;
    const answer = await emails.sendBatch('one', batch, options);
    expect(answer).toMatchObject({ data: sent.all.map(({ id }) => ({ id })), errors: [{ index: 1 }] });
    expect(await emails.sendBatch('one', batch, options)).toEqual(answer);
    expect(sent.all.map(({ subject }) => subject)).toEqual(['Hello', 'Third']);
  });

  it('reschedules and cancels scheduled emails, and refuses what the real service refuses', async () => {
    const { emails } = await compose();
    const { id } = await emails.send('one', { ...EMAIL, scheduled_at: '2099-01-01T00:00:00Z', tags: { plan: 'pro' } });
    await emails.reschedule('one', id, { scheduled_at: '2099-01-02T00:00:00Z' });
    expect(await emails.get('one', id)).toMatchObject({
      last_event: 'scheduled',
      scheduled_at: '2099-01-02 00:00:00.000000+00',
      tags: [{ name: 'plan', value: 'pro' }],
      topic_id: null,
    });
    expect(await emails.cancel('one', id)).toEqual({ object: 'email', id });
    expect(await emails.cancel('one', id)).toEqual({ object: 'email', id });
    expect(await emails.get('one', id)).toMatchObject({ last_event: 'canceled' });
    expect((await emails.list('one', { last_event: 'canceled', tag: 'plan:pro' })).data).toHaveLength(1);
    await expect(emails.reschedule('one', id, { scheduled_at: 'in 1 hour' })).rejects.toMatchObject({
      statusCode: 422,
    });
    await expect(emails.cancel('two', id)).rejects.toMatchObject({ statusCode: 404 });
    const queued = await emails.send('one', EMAIL);
    await expect(emails.cancel('one', queued.id)).rejects.toMatchObject({ statusCode: 422 });
    await expect(emails.retry('one', queued.id)).rejects.toMatchObject({ statusCode: 422 });
  });

  it('refuses a message id in use, and to resend an accepted email', async () => {
    const { emails, sent } = await compose();
    const { id } = await emails.send('one', { ...EMAIL, message_id: '<order-1@shop.test>' });
    const twice = { ...EMAIL, message_id: '<order-1@shop.test>' };
    await expect(emails.send('one', twice)).rejects.toMatchObject({ statusCode: 422 });
    await expect(emails.resend('one', id)).rejects.toMatchObject({ statusCode: 422 });
    await emails.resend('one', id, { recipients: ['jane@to.test'] });
    expect(sent.last).toMatchObject({ subject: 'Hello', text: 'Hi', to: ['Jane <jane@to.test>'] });
  });
});
