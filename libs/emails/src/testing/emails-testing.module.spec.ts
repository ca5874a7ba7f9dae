import { text } from 'node:stream/consumers';
import { jest } from '@jest/globals';
import { Test } from '@nestjs/testing';
import type { EntityManager } from 'typeorm';
import { EmailsService } from '../emails/emails.service.js';
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

  it('shows what happens to an email that nobody delivers', async () => {
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

  it('records what other spellings mean, and when English is due', async () => {
    const { emails, sent } = await compose();
    const before = Date.now();
    await emails.send('one', { ...EMAIL, tags: { plan: 'pro' }, headers: { 'X-N': 7 }, scheduled_at: 'in 1 hour' });
    expect(sent.only()).toMatchObject({ tags: [{ name: 'plan', value: 'pro' }], headers: { 'X-N': '7' } });
    expect(Date.parse(sent.only().scheduled_at ?? '') - before).toBeGreaterThanOrEqual(3_600_000);
    await expect(emails.send('one', { ...EMAIL, scheduled_at: 'soon' })).rejects.toMatchObject({ statusCode: 422 });
  });

  it('shows, reschedules and cancels what was sent', async () => {
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

  it('takes orders to erase somebody for done', async () => {
    const { emails } = await compose();
    const { id } = await emails.erase('one', 'jane@to.test');
    expect(await emails.erasure('one', id)).toEqual({ object: 'erasure', id, status: 'finished' });
    expect(await emails.erasure('two', id)).toBeUndefined();
    await expect(emails.erase('one', 'jane')).rejects.toMatchObject({ statusCode: 422 });
  });

  it('gives the first answer again when the time that was meant in English has passed', async () => {
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

  it('takes whatever the code under test has for a manager', async () => {
    const { emails, sent } = await compose();
    await emails.send('one', EMAIL, { manager: {} as EntityManager });
    expect(sent.all).toHaveLength(1);
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

  it('has the attachments of what was sent, and links that lead nowhere', async () => {
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

  it('shows what was sent as the message that nobody sends', async () => {
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

  it('takes batches, in both modes and once for a key', async () => {
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

  it('reschedules and cancels what is scheduled, and refuses what the real one refuses', async () => {
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

  it('refuses a message id that is taken, and to send again what nobody missed', async () => {
    const { emails, sent } = await compose();
    const { id } = await emails.send('one', { ...EMAIL, message_id: '<order-1@shop.test>' });
    const twice = { ...EMAIL, message_id: '<order-1@shop.test>' };
    await expect(emails.send('one', twice)).rejects.toMatchObject({ statusCode: 422 });
    await expect(emails.resend('one', id)).rejects.toMatchObject({ statusCode: 422 });
    await emails.resend('one', id, { recipients: ['jane@to.test'] });
    expect(sent.last).toMatchObject({ subject: 'Hello', text: 'Hi', to: ['Jane <jane@to.test>'] });
  });
});
