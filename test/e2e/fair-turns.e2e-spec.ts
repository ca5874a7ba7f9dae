import { setTimeout as delay } from 'node:timers/promises';
import type { SendEmail } from 'nestjs-emails';
import { SmallHost } from '../support/hosts/small-host.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

/** Emails of the account, or lane, with many. */
const MANY = 400;
/** The last of these, which come after the others on a slow machine too. */
const LAST = 100;
/** Emails that a process works on at the same time. */
const PLACES = 10;

let sink: SmtpSink;
let host: SmallHost;

beforeAll(async () => {
  sink = await SmtpSink.start();
  const options = { delivery: { concurrency: PLACES, sweepInterval: 600_000 } };
  const settings = { smtpUrl: `${sink.url}?maxConnections=2` };
  host = await SmallHost.start(sink, options, undefined, [], settings);
});

beforeEach(() => {
  sink.reset();
  sink.onMessage = async () => {
    await delay(15);
    return undefined;
  };
});

const emailsTo = (to: string, count: number, more: Partial<SendEmail> = {}): SendEmail[] =>
  Array.from({ length: count }, () => ({
    ...{ from: 'sender@from.test', to, subject: 'Hello', text: 'Hello' },
    ...more,
  }));

const send = (account: string, emails: readonly SendEmail[]) =>
  host.run(
    async ({ emails: service }, accountId, all) => {
      for (let at = 0; at < all.length; at += 100) await service.sendBatch(accountId, all.slice(at, at + 100));
    },
    account,
    emails as SendEmail[],
  );

/** Messages that came before the last one to this address, once all have come. */
async function placeOf(address: string, total: number): Promise<number> {
  const messages = await sink.waitFor(total);
  return messages.findLastIndex(({ envelope }) => envelope.to.includes(address));
}

/** On both queues: each has its own order of jobs. */
describe('fair turns', () => {
  it('an email of another account is among the next, however many an account has', async () => {
    await send('many', emailsTo('many@to.test', MANY));
    await sink.waitFor(20);
    await send('few', emailsTo('few@to.test', 3));
    expect(await placeOf('few@to.test', MANY + 3)).toBeLessThan(MANY - LAST);
  });

  it('so it is with scheduled emails that are due at the same time', async () => {
    const scheduledAt = new Date(Date.now() + 3_000).toISOString();
    await send('many later', emailsTo('many@to.test', MANY, { scheduled_at: scheduledAt }));
    await send('few later', emailsTo('few@to.test', 3, { scheduled_at: scheduledAt }));
    expect(await placeOf('few@to.test', MANY + 3)).toBeLessThan(MANY - LAST);
  });

  it('an email does not wait behind bulk of its account', async () => {
    await send('one', emailsTo('bulk@to.test', MANY, { priority: 'bulk' }));
    await sink.waitFor(20);
    await send('one', emailsTo('now@to.test', 3));
    expect(await placeOf('now@to.test', MANY + 3)).toBeLessThan(MANY - LAST);
  });

  it('bulk goes on while others wait, and gets about an eighth', async () => {
    await send('one', emailsTo('bulk@to.test', 100, { priority: 'bulk' }));
    await send('one', emailsTo('now@to.test', MANY));
    const messages = await sink.waitFor(MANY + 100);
    const nows = messages.flatMap(({ envelope }, at) => (envelope.to.includes('now@to.test') ? [at] : []));
    const [first = 0, last = 0] = [nows[40], nows.at(-40)];
    const between = messages.slice(first, last).filter(({ envelope }) => envelope.to.includes('bulk@to.test')).length;
    expect(between / (last - first)).toBeGreaterThan(0.04);
    expect(between / (last - first)).toBeLessThan(0.2);
  });
});
