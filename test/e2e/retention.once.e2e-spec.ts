import { until } from '../support/basics/wait-for.js';
import { ContractHost } from '../support/hosts/contract-host.js';
import { attemptsOf, eventTypes, untilShown } from '../support/reading/deliveries.js';

/** Retention of the parts of an email: `RETENTION_CONTENT` and `RETENTION_EVENTS`. Housekeeping runs at the start. */
describe('retention', () => {
  const file = { filename: 'a.txt', content: 'YQ==' };
  const later = { attachments: [file], scheduled_at: '2096-11-21T05:26:01Z' };

  async function restarted(env: Record<string, string>) {
    const api = await ContractHost.start({ env: { SMTP_HOP: 'final', ...env } });
    const { id: finished } = await api.deliver({ html: '<p>Hello</p>', attachments: [file] });
    await untilShown(api.host, finished, 'delivered');
    const waiting = await api.accept(later);
    const canceled = await api.accept(later);
    await api.host.request('POST', `/emails/${canceled}/cancel`);
    await api.host.restart();
    return { api, finished, waiting, canceled };
  }

  const files = async ({ host }: ContractHost, id: string) =>
    (await host.query('SELECT FROM nestjs_emails.attachments WHERE email_id = $1', [id])).length;

  it('clears the content of finished emails, and keeps pending ones', async () => {
    const { api, finished, waiting, canceled } = await restarted({ RETENTION_CONTENT: '1ms' });
    await until(async () => (await files(api, finished)) === 0);
    expect(await api.record(finished)).toMatchObject({ html: null, text: null, last_event: 'delivered' });
    expect(await eventTypes(api.host, finished)).toEqual(['queued', 'sent', 'delivered']);
    expect(await api.record(waiting)).toMatchObject({ text: expect.stringContaining('canary') });
    expect(await files(api, waiting)).toBe(1);
    await until(async () => (await files(api, canceled)) === 0);
    expect(await api.record(canceled)).toMatchObject({ html: null, text: null, last_event: 'canceled' });
  });

  it('deletes the history of finished emails, and keeps their outcome', async () => {
    const { api, finished, waiting } = await restarted({ RETENTION_EVENTS: '1ms' });
    await until(async () => (await eventTypes(api.host, finished)).length === 0);
    expect(await attemptsOf(api.host, finished)).toEqual([]);
    expect(await api.record(finished)).toMatchObject({ html: '<p>Hello</p>', last_event: 'delivered' });
    expect(await eventTypes(api.host, waiting)).toEqual(['scheduled']);
  });

  it('keeps everything by default', async () => {
    const { api, finished } = await restarted({});
    expect(await files(api, finished)).toBe(1);
    expect(await eventTypes(api.host, finished)).toEqual(['queued', 'sent', 'delivered']);
    expect(await api.record(finished)).toMatchObject({ html: '<p>Hello</p>' });
  });

  it('removes every content that no email refers to, a day after it was last put', async () => {
    const api = await ContractHost.start();
    await api.accept(later);
    await api.host.query(`UPDATE nestjs_emails.attachment_contents SET touched_at = now() - interval '2 days'`);
    await api.host.query(`
      INSERT INTO nestjs_emails.attachment_contents (hash, slice, content, touched_at)
      SELECT md5(n::text), slice, 'old', now() - interval '2 days'
      FROM generate_series(1, 250) AS n, generate_series(0, 1) AS slice`);
    await api.host.query(
      "INSERT INTO nestjs_emails.attachment_contents (hash, slice, content) VALUES ('fresh', 0, 'fresh')",
    );
    const contents = () => api.host.query<{ content: Buffer }>('SELECT content FROM nestjs_emails.attachment_contents');
    expect(await contents()).toHaveLength(502);
    await api.host.restart();
    await until(async () => (await contents()).length === 2);
    expect((await contents()).map(({ content }) => content.toString()).sort()).toEqual(['a', 'fresh']);
  });
});
