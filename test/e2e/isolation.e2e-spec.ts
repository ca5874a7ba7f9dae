import pg from 'pg';
import { eventually, until } from '../support/basics/wait-for.js';
import { SmallHost } from '../support/hosts/small-host.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

/** A short lease and immediate retries, so that lapses and second copies show soon. */
const DELIVERY = { lease: 1_500, sweepInterval: 200, retrySchedule: [100, 100, 100, 100] };
const INNOCENTS = 19;

let sink: SmtpSink;
let host: SmallHost;

beforeAll(async () => {
  sink = await SmtpSink.start();
  host = await SmallHost.start(sink, { delivery: DELIVERY });
});

beforeEach(() => sink.reset());

/** Posts one email to each address, all at once, and gives their ids. */
async function postAll(addresses: readonly string[]): Promise<string[]> {
  const answers = await Promise.all(
    addresses.map((to) =>
      host.request<{ id: string }>('POST', '/emails', {
        body: { from: 'a@from.test', to, subject: 'Hello', text: 'x' },
      }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(addresses.map(() => 200));
  return answers.map(({ body }) => body.id);
}

const innocents = (name: string) => Array.from({ length: INNOCENTS }, (_, n) => `${name}-${n}@to.test`);

/** Number of copies for each address. */
function copies(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { envelope } of sink.offered) for (const to of envelope.to) counts[to] = (counts[to] ?? 0) + 1;
  return counts;
}

const once = (addresses: readonly string[]) => Object.fromEntries(addresses.map((address) => [address, 1]));

function owed(ids: readonly string[]): Promise<{ email_id: string }[]> {
  return host.query('SELECT email_id FROM nestjs_emails.deliveries WHERE email_id = ANY($1) AND due_at IS NOT NULL', [
    ids,
  ]);
}

const untilSettled = (ids: readonly string[]) =>
  until(async () => (await owed(ids)).length === 0, { what: 'the end of all emails', timeout: host.seconds(25) });

describe('one email among many', () => {
  it.each([
    ['a NUL', '250 2.0.0 \0 ok'],
    ['half a character where it is cut', `250 2.0.0 ${'x'.repeat(489)}🙂🙂`],
    ['bytes that are not text', Buffer.from([0x32, 0x35, 0x30, 0x20, 0xff, 0xc0, 0xed, 0xa0, 0x80]).toString('latin1')],
  ])('whose reply of acceptance has %s harms no other, and was sent once itself', async (name, reply) => {
    const others = innocents('plain');
    const odd = 'odd@to.test';
    sink.onMessage = ({ envelope }) => (envelope.to.includes(odd) ? reply : undefined);
    const ids = await postAll([odd, ...others]);
    await untilSettled(ids);
    expect({ name, copies: copies() }).toEqual({ name, copies: once([odd, ...others]) });
    const events = await host.query<{ reason: string }>(
      "SELECT reason FROM nestjs_emails.events WHERE email_id = $1 AND type = 'sent'",
      [ids[0]],
    );
    expect(events).toEqual([{ reason: expect.stringMatching(/^250/) }]);
  });

  it('whose end cannot be written harms no other, and comes to an end after a bounded number of copies', async () => {
    const others = innocents('written');
    await host.query(`
      CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON nestjs_emails.events FOR EACH ROW
        WHEN (NEW.recipient = 'unwritable@to.test') EXECUTE FUNCTION public.refuse()`);
    const ids = await postAll(['unwritable@to.test', ...others]);
    await untilSettled(ids.slice(1));
    // One more than the delays of the schedule; then it only tries to record its failure.
    const tried = DELIVERY.retrySchedule.length + 1;
    const attempts = 'SELECT attempts FROM nestjs_emails.deliveries WHERE email_id = $1';
    const counted = async () => (await host.query<{ attempts: number }>(attempts, [ids[0]]))[0]!.attempts;
    await until(async () => (await counted()) === tried, { timeout: host.seconds(25) });
    const [before] = await host.query<{ fence: number }>(
      'SELECT fence FROM nestjs_emails.deliveries WHERE email_id = $1',
      [ids[0]],
    );
    await eventually(async () => {
      const [now] = await host.query<{ fence: number }>(
        'SELECT fence FROM nestjs_emails.deliveries WHERE email_id = $1',
        [ids[0]],
      );
      expect(now!.fence).toBeGreaterThan(before!.fence + 1);
    });
    expect(copies()).toEqual({ ...once(others), 'unwritable@to.test': tried });
    await host.query('DROP TRIGGER refuse ON nestjs_emails.events; DROP FUNCTION public.refuse()');
    await untilSettled(ids);
    expect(copies()['unwritable@to.test']).toBe(tried);
    const [last] = await host.query('SELECT last_event FROM nestjs_emails.deliveries WHERE email_id = $1', [ids[0]]);
    expect(last).toEqual({ last_event: 'failed' });
    expect(host.output).toMatch(/could not be recorded \(P0001\)/);
  });

  it('that is locked for longer than a lease harms no other, and was sent once itself', async () => {
    const addresses = innocents('held').slice(0, 10);
    let goOn = () => {};
    const gate = new Promise<undefined>((resolve) => {
      goOn = () => resolve(undefined);
    });
    sink.onMessage = () => gate;
    const ids = await postAll(addresses);
    await until(() => sink.offered.length === addresses.length);
    const stranger = new pg.Client({ connectionString: host.databaseUrl });
    await stranger.connect();
    try {
      await stranger.query('BEGIN');
      await stranger.query('SELECT FROM nestjs_emails.deliveries WHERE email_id = $1 FOR UPDATE', [ids[0]]);
      await until(
        async () =>
          (await host.query('SELECT FROM nestjs_emails.deliveries WHERE email_id = $1 AND due_at < now()', [ids[0]]))
            .length,
      );
      // Another lease of time.
      const [{ now } = { now: '' }] = await host.query<{ now: string }>(
        "SELECT (now() + interval '1.5 seconds')::text AS now",
      );
      await until(async () => (await host.query('SELECT WHERE now() > $1::timestamptz', [now])).length);
      goOn();
      await untilSettled(ids.slice(1));
      expect(copies()).toEqual(once(addresses));
    } finally {
      await stranger.query('COMMIT');
      await stranger.end();
    }
    await untilSettled(ids);
    expect(copies()).toEqual(once(addresses));
  });
});
