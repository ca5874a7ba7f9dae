import type { EmailEventDto, ListEnvelope } from 'nestjs-emails';
import { freePort } from '../support/basics/free-port.mjs';
import { until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { eventTypes, listed, post, untilShown } from '../support/reading/deliveries.js';
import { type Postfix, startPostfix } from '../support/servers/postfix.js';

let postfix: Postfix;
let host: RunningHost;

beforeAll(async () => {
  const port = await freePort();
  postfix = await startPostfix(port);
  const env = { BOUNCE_DOMAIN: 'bounces.test', BOUNCE_SMTP_PORT: String(port), SMTP_HOP: 'relay' };
  host = await startHost({ smtp: postfix.url, env });
});

const eventsShown = async (id: string) =>
  (await host.request<ListEnvelope<EmailEventDto>>('GET', `/emails/${id}/events`)).body.data;

describe('a Postfix as relay', () => {
  it('returns mail to an unknown mailbox: sent, then bounced with its reason', async () => {
    const id = await post(host, 'nobody@to.test');
    await untilShown(host, id, 'bounced');
    expect(await eventTypes(host, id)).toEqual(['queued', 'sent', 'bounced']);
    const [bounced, sent] = await eventsShown(id);
    expect(sent?.reason).toMatch(/queued as/);
    expect(bounced).toMatchObject({
      type: 'bounced',
      recipient: 'nobody@to.test',
      source: 'dsn',
      reason: expect.stringMatching(/5\.1\.1.*unknown user/),
      bounce: { type: 'Permanent', subType: 'General' },
    });
  });

  it('gets no more mail for that address until it is removed from the list', async () => {
    const kept = await post(host, 'nobody@to.test');
    await untilShown(host, kept, 'suppressed');
    expect(await eventTypes(host, kept)).toEqual(['queued', 'suppressed']);
    const removed = await host.request('DELETE', '/suppressions/nobody@to.test');
    expect(removed).toMatchObject({ status: 200, body: { object: 'suppression', deleted: true } });
    const again = await post(host, 'nobody@to.test');
    await untilShown(host, again, 'bounced');
    expect(await eventTypes(host, again)).toEqual(['queued', 'sent', 'bounced']);
  });

  it('returns one of several recipients, without confirmation, and delivers to the other', async () => {
    const id = await post(host, ['known@to.test', 'stranger@to.test']);
    await untilShown(host, id, 'bounced');
    expect(await eventTypes(host, id, 'known@to.test')).toEqual(['sent']);
    const [bounced] = await eventsShown(id);
    expect(bounced).toMatchObject({ recipient: 'stranger@to.test', reason_code: 'unconfirmed_bounce' });
  });

  it('keeps a report while no worker takes it', async () => {
    const attempts = () => postfix.log().match(/: to=<b\+\S+ .* status=(?:sent|deferred)/g)?.length ?? 0;
    const before = attempts();
    await host.stop();
    await host.start();
    const id = await post(host, 'absent@to.test');
    await until(async () => (await eventTypes(host, id)).includes('sent'));
    await host.kill();
    // The report came just before, or waits.
    await until(() => attempts() > before);
    await host.start();
    await postfix.flush();
    await untilShown(host, id, 'bounced');
    expect((await eventTypes(host, id)).filter((type) => type === 'bounced')).toHaveLength(1);
    expect((await listed(host, id)).last_event).toBe('bounced');
  });
});
