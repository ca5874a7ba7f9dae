import { type RunningHost, startHost } from '../support/hosts/host.js';
import { attemptsOf, eventsOf, eventTypes, post, untilShown } from '../support/reading/deliveries.js';
import { headerNames, parseMime } from '../support/reading/mime.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

describe('an accepted email', () => {
  let sink: SmtpSink;
  let host: RunningHost;

  beforeAll(async () => {
    sink = await SmtpSink.start();
    host = await startHost({ smtp: sink, env: { SMTP_HOP: 'final' } });
  });

  beforeEach(() => sink.reset());

  it('is delivered within two seconds, to the envelope of all its recipients', async () => {
    const id = await post(host, ['To <to@to.test>'], { cc: 'cc@to.test', bcc: ['bcc@to.test'] });
    const { message_id } = await untilShown(host, id, 'delivered', { timeout: host.seconds(2) });

    expect(sink.messages).toHaveLength(1);
    const [{ envelope, raw }] = sink.messages as [SmtpSink['messages'][number]];
    expect(envelope.from).toBe('sender@from.test');
    expect(envelope.to).toEqual(['to@to.test', 'cc@to.test', 'bcc@to.test']);
    expect(await parseMime(raw)).toMatchObject({ messageId: message_id, subject: 'Hello', text: 'Hello there\n' });
    expect(raw.toString()).not.toContain('bcc@to.test');
    expect(headerNames(raw)).not.toContain('bcc');
  });

  it('has a history that moves forward', async () => {
    const id = await post(host, 'history@to.test');
    await untilShown(host, id, 'delivered');
    expect(await eventsOf(host, id)).toEqual([
      { type: 'queued', recipient: null, reason: null },
      { type: 'sent', recipient: 'history@to.test', reason: '250 2.0.0 taken' },
      { type: 'delivered', recipient: 'history@to.test', reason: null },
    ]);
  });

  it('has its attempt in the database before the first SMTP command, and its end after the last', async () => {
    let seen: unknown;
    let id = '';
    sink.onMail = async () => {
      [{ id }] = (await host.query<{ id: string }>(
        'SELECT id FROM nestjs_emails.emails ORDER BY seq DESC LIMIT 1',
      )) as [{ id: string }];
      seen = await attemptsOf(host, id);
      return undefined;
    };
    await untilShown(host, await post(host, 'early@to.test'), 'delivered');

    expect(seen).toEqual([{ fence: 1, finished_at: null, unknown: false, outcomes: null }]);
    const reply = { code: 250, text: '250 2.0.0 taken' };
    expect(await attemptsOf(host, id)).toEqual([
      {
        fence: 1,
        finished_at: expect.any(Date),
        unknown: false,
        outcomes: [{ address: 'early@to.test', outcome: 'accepted', reply }],
      },
    ]);
  });

  it('is sent once to an address that is named three times', async () => {
    const id = await post(host, 'same@to.test', { cc: 'Same <same@to.test>', bcc: 'same@TO.test' });
    await untilShown(host, id, 'delivered');
    expect(sink.messages.map(({ envelope }) => envelope.to)).toEqual([['same@to.test']]);
  });

  it('is sent at its scheduled time', async () => {
    const due = Date.now() + host.seconds(1.5);
    const id = await post(host, 'later@to.test', { scheduled_at: new Date(due).toISOString() });
    await untilShown(host, id, 'scheduled');
    const message = await sink.waitFor(({ envelope }) => envelope.to.includes('later@to.test'));
    expect(message.receivedAt.getTime()).toBeGreaterThanOrEqual(due);
    expect(message.receivedAt.getTime()).toBeLessThan(due + host.seconds(2));
    await untilShown(host, id, 'delivered');
    expect(await eventTypes(host, id)).toEqual(['scheduled', 'queued', 'sent', 'delivered']);
  });

  it.each([
    ['drops the connection', 'drop'],
    ['says 421 and closes', '421 4.4.2 idle for too long'],
  ])('shows no delay when the server %s at the first command on a connection that was idle', async (_, verdict) => {
    await untilShown(host, await post(host, 'first@to.test'), 'delivered');
    let refused = 0;
    sink.onMail = () => (refused++ === 0 ? verdict : undefined);
    const id = await post(host, 'second@to.test');
    await untilShown(host, id, 'delivered');
    expect(refused).toBe(2);
    expect(await eventTypes(host, id)).toEqual(['queued', 'sent', 'delivered']);
    expect(await attemptsOf(host, id)).toHaveLength(1);
  });

  it('is not delayed by a server that never answers another one', async () => {
    const stuck = new Promise<void>((resolve) => {
      sink.onData = ({ to }) => {
        if (!to.includes('stuck@to.test')) return undefined;
        resolve();
        return 'hang';
      };
    });
    const held = await post(host, 'stuck@to.test');
    await stuck;
    const ids = await Promise.all(Array.from({ length: 20 }, (_, n) => post(host, `free${n}@to.test`)));
    for (const id of ids) await untilShown(host, id, 'delivered');
    expect(await attemptsOf(host, held)).toEqual([expect.objectContaining({ finished_at: null })]);
  });
});

it('is only called sent when the next hop is a relay', async () => {
  const sink = await SmtpSink.start();
  const host = await startHost({ smtp: sink, env: { SMTP_HOP: 'relay' } });
  const id = await post(host, 'to@to.test');
  await untilShown(host, id, 'sent');
  expect(await eventTypes(host, id)).toEqual(['queued', 'sent']);
});
