import { until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { attemptsOf, eventsOf, eventTypes, post, untilShown } from '../support/reading/deliveries.js';
import { parseMime } from '../support/reading/mime.js';
import { TcpProxy } from '../support/servers/proxy/tcp-proxy.js';
import { SmtpSink, type Verdict } from '../support/servers/smtp/smtp-sink.js';

/** Milliseconds; also configured in the host. */
const RETRY = 400;

type Stage = 'MAIL' | 'RCPT' | 'DATA' | 'the final dot';
const STAGES: readonly Stage[] = ['MAIL', 'RCPT', 'DATA', 'the final dot'];

let domains = 0;
/** An address of a separate destination, because one with many deferrals is paused. */
const at = (localPart: string) => `${localPart}@to${domains}.test`;

/** The sink waits for this before it behaves normally again. */
let seen: Promise<undefined>;
let sink: SmtpSink;
let proxy: TcpProxy;
let host: RunningHost;

beforeAll(async () => {
  sink = await SmtpSink.start();
  proxy = await TcpProxy.start('127.0.0.1', sink.port);
  host = await startHost({
    smtp: proxy.through(sink.url),
    env: { SMTP_HOP: 'final', RETRY_SCHEDULE: `${RETRY}ms,${4 * RETRY}ms` },
  });
});

beforeEach(async () => {
  await proxy.restore();
  seen = Promise.resolve(undefined);
  sink.reset();
  domains += 1;
  // No test may get a connection of another one.
  proxy.cut();
});

/** Makes the sink send `verdicts` at this stage, one at each occurrence, and the default afterwards. */
function script(stage: Stage, ...verdicts: Verdict[]): void {
  const next = () => verdicts.shift() ?? seen;
  if (stage === 'MAIL') sink.onMail = next;
  if (stage === 'RCPT') sink.onRcpt = next;
  if (stage === 'DATA') sink.onData = next;
  if (stage === 'the final dot') sink.onMessage = next;
}

/** Keeps the sink's fault until the returned function is called. */
function waitToBeSeen(): () => void {
  let goOn = () => {};
  seen = new Promise((resolve) => {
    goOn = () => resolve(undefined);
  });
  return goOn;
}

const outcomesOf = async (id: string) =>
  (await attemptsOf(host, id)).map(({ unknown, outcomes }) => ({
    unknown,
    outcomes: outcomes?.map(({ outcome }) => outcome),
  }));

describe.each(STAGES)('a 550 at %s', (stage) => {
  it('bounces the email at once, with the reply as reason', async () => {
    script(stage, '550 5.7.1 we do not want this');
    const id = await post(host, at('to'));
    await untilShown(host, id, 'bounced');

    const reason = '550 5.7.1 we do not want this';
    expect(await eventsOf(host, id)).toEqual([
      { type: 'queued', recipient: null, reason: null },
      { type: 'bounced', recipient: at('to'), reason },
    ]);
    expect(await outcomesOf(id)).toEqual([{ unknown: false, outcomes: ['rejected'] }]);
    expect(sink.messages).toHaveLength(0);
  });
});

describe.each(STAGES)('a temporary refusal at %s', (stage) => {
  it.each(['451 4.7.1 later', '421 4.3.2 closing', '452 4.3.1 disk full'])(
    '"%s" is retried on schedule',
    async (reply) => {
      script(stage, reply);
      const goOn = waitToBeSeen();
      const id = await post(host, at('to'));
      await untilShown(host, id, 'delivery_delayed');
      goOn();
      await untilShown(host, id, 'delivered');

      expect(await eventsOf(host, id)).toEqual([
        { type: 'queued', recipient: null, reason: null },
        { type: 'delivery_delayed', recipient: at('to'), reason: reply },
        { type: 'sent', recipient: at('to'), reason: '250 2.0.0 taken' },
        { type: 'delivered', recipient: at('to'), reason: null },
      ]);
      expect(await outcomesOf(id)).toEqual([
        { unknown: false, outcomes: ['deferred'] },
        { unknown: false, outcomes: ['accepted'] },
      ]);
      expect(await pauseBetweenAttempts(id)).toBeGreaterThanOrEqual(RETRY);
      expect(sink.messages).toHaveLength(1);
    },
  );

  it('that persists fails the email with the last reply at the end of the schedule', async () => {
    script(stage, '451 4.7.1 first', '451 4.7.1 second', '451 4.7.1 third');
    const id = await post(host, at('to'));
    await untilShown(host, id, 'failed');

    expect((await eventsOf(host, id)).slice(1)).toEqual([
      { type: 'delivery_delayed', recipient: at('to'), reason: '451 4.7.1 first' },
      { type: 'delivery_delayed', recipient: at('to'), reason: '451 4.7.1 second' },
      { type: 'failed', recipient: at('to'), reason: expect.stringContaining('451 4.7.1 third') },
    ]);
    expect(await attemptsOf(host, id)).toHaveLength(3);
    expect(sink.messages).toHaveLength(0);
  });
});

async function pauseBetweenAttempts(id: string): Promise<number> {
  const [row] = await host.query<{ pause: number }>(
    `SELECT extract(epoch FROM max(started_at) - min(finished_at))::float8 * 1000 AS pause
     FROM nestjs_emails.attempts WHERE email_id = $1`,
    [id],
  );
  return row?.pause ?? 0;
}

describe('an unusable server', () => {
  it.each([
    ['greets with garbage', 'who are you'],
    ['greets with 421', '421 4.3.2 too busy'],
    ['greets with 554', '554 5.3.2 no mail today'],
    ['hangs up instead of greeting', 'drop'],
  ])('that %s delays the email, without an attempt', async (_, greeting) => {
    const greetings = [greeting];
    sink.onConnect = () => greetings.shift();
    const id = await post(host, at('to'));
    await untilShown(host, id, 'delivered');
    expect(greetings).toEqual([]);
    expect((await outcomesOf(id)).filter(({ outcomes }) => outcomes)).toEqual([
      { unknown: false, outcomes: ['accepted'] },
    ]);
    const counted = 'SELECT attempts FROM nestjs_emails.deliveries WHERE email_id = $1';
    expect(await host.query(counted, [id])).toEqual([{ attempts: 1 }]);
    const events = await eventTypes(host, id);
    // A server that just accepted mail is checked again before it counts as down.
    expect(events.filter((type) => type !== 'delivery_delayed')).toEqual(['queued', 'sent', 'delivered']);
  });

  it('until the end of the schedule fails the email with the reason', async () => {
    await proxy.refuse();
    const id = await post(host, at('to'));
    await untilShown(host, id, 'failed');
    const { type, reason } = (await eventsOf(host, id)).at(-1)!;
    expect(type).toBe('failed');
    expect(reason).toMatch(/^Gave up\. Last reply: .*ECONNREFUSED/);
    // Other tests must not find it down.
    await proxy.restore();
    await until(async () => untilShown(host, await post(host, at('back')), 'delivered', { timeout: host.seconds(3) }));
  });
});

describe('recipients with different outcomes', () => {
  it('are independent: only deferred ones are retried, and all copies are the same email', async () => {
    sink.onRcpt = (address, count) => {
      if (address === at('no')) return '550 5.1.1 nobody';
      return address === at('later') && count === 1 ? '451 4.7.1 later' : undefined;
    };
    const id = await post(host, [at('ok'), at('later')], { bcc: at('no') });
    const { message_id } = await untilShown(host, id, 'bounced');
    await sink.waitFor(2);

    expect(sink.messages.map(({ envelope }) => envelope.to)).toEqual([[at('ok')], [at('later')]]);
    for (const { raw } of sink.messages) expect((await parseMime(raw)).messageId).toBe(message_id);
    await until(async () => (await eventTypes(host, id, at('later'))).includes('delivered'));
    expect(await eventTypes(host, id, at('ok'))).toEqual(['sent', 'delivered']);
    expect(await eventTypes(host, id, at('later'))).toEqual(['delivery_delayed', 'sent', 'delivered']);
    expect(await eventTypes(host, id, at('no'))).toEqual(['bounced']);
    // The state that needs most attention stays shown.
    await untilShown(host, id, 'bounced');
  });

  it('show the delay while one of them is deferred, and its end afterwards', async () => {
    const goOn = waitToBeSeen();
    sink.onRcpt = (address, count) => {
      if (address !== at('later')) return undefined;
      return count === 1 ? '451 4.7.1 later' : seen;
    };
    const id = await post(host, [at('ok'), at('later')]);
    await untilShown(host, id, 'delivery_delayed');
    goOn();
    await untilShown(host, id, 'delivered');
  });

  it('are all refused: permanently or temporarily, each by its reply', async () => {
    sink.onRcpt = (address, count) => {
      if (address === at('no')) return '550 5.1.1 nobody';
      return count === 1 ? '451 4.7.1 later' : undefined;
    };
    const id = await post(host, [at('later'), at('no')]);
    await sink.waitFor(1);
    await untilShown(host, id, 'bounced');
    expect(sink.messages.map(({ envelope }) => envelope.to)).toEqual([[at('later')]]);
    expect(await eventTypes(host, id, at('no'))).toEqual(['bounced']);
  });
});

describe('a lost connection', () => {
  it('after the final dot and before the reply makes an unknown attempt, and the email is sent again', async () => {
    script('the final dot', 'drop');
    const id = await post(host, at('to'));
    const { message_id } = await untilShown(host, id, 'delivered');
    expect(await outcomesOf(id)).toEqual([
      { unknown: true, outcomes: ['unknown'] },
      { unknown: false, outcomes: ['accepted'] },
    ]);
    expect(await eventTypes(host, id)).toEqual(['queued', 'delivery_delayed', 'sent', 'delivered']);
    expect(sink.offered).toHaveLength(2);
    for (const { raw } of sink.offered) expect((await parseMime(raw)).messageId).toBe(message_id);
  });

  it.each<[string, Record<string, unknown>]>([
    ['small', {}],
    [
      'with a file',
      { attachments: [{ filename: 'a.bin', content: Buffer.alloc(1_500_000, 'file').toString('base64') }] },
    ],
  ])('since the last message does not defer one that is %s', async (_, fields) => {
    await untilShown(host, await post(host, at('first')), 'delivered');
    script('MAIL', 'drop');
    const id = await post(host, at('to'), fields);
    await untilShown(host, id, 'delivered');
    expect(await outcomesOf(id)).toEqual([{ unknown: false, outcomes: ['accepted'] }]);
    expect(sink.offered).toHaveLength(2);
  });

  it('after the final dot is unknown only for recipients that were not refused before', async () => {
    sink.onRcpt = (address) => (address === at('no') ? '550 5.1.1 nobody' : undefined);
    script('the final dot', 'drop');
    const id = await post(host, [at('to'), at('no')]);
    await sink.waitFor(1);
    await untilShown(host, id, 'bounced');
    const [first] = await attemptsOf(host, id);
    const fates = Object.fromEntries(first!.outcomes!.map(({ address, outcome }) => [address, outcome]));
    expect(fates).toEqual({ [at('to')]: 'unknown', [at('no')]: 'rejected' });
    expect(sink.messages.map(({ envelope }) => envelope.to)).toEqual([[at('to')]]);
  });

  it.each(['MAIL', 'RCPT', 'DATA'] as const)(
    'at %s proves that nothing was sent, and the email is sent later',
    async (stage) => {
      script(stage, 'drop');
      const id = await post(host, at('to'));
      await untilShown(host, id, 'delivered');
      expect(await outcomesOf(id)).toEqual([
        { unknown: false, outcomes: ['deferred'] },
        { unknown: false, outcomes: ['accepted'] },
      ]);
      expect(sink.offered).toHaveLength(1);
    },
  );
});
