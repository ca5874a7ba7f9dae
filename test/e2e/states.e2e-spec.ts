import { ContractHost } from '../support/hosts/contract-host.js';
import { startHost } from '../support/hosts/host.js';
import { eventsOf, untilSettled, untilShown } from '../support/reading/deliveries.js';

/** Contract 4. `smtp-outcomes` tests the effects of an SMTP server on an email one by one. */
describe('last_event', () => {
  let api: ContractHost;

  beforeAll(async () => {
    api = await ContractHost.start({ env: { SMTP_HOP: 'final', RETRY_SCHEDULE: '300ms,300ms' } });
    await api.host.query(`
      CREATE TABLE shown (id bigserial, email_id uuid, last_event text);
      CREATE FUNCTION note_shown() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO shown (email_id, last_event) VALUES (NEW.email_id, NEW.last_event); RETURN NULL; END $$;
      CREATE TRIGGER note_shown AFTER INSERT OR UPDATE ON nestjs_emails.deliveries
        FOR EACH ROW EXECUTE FUNCTION note_shown();`);
  });

  afterEach(() => api.sink.reset());

  /** All states that `GET /emails` could have shown of this email so far, in order. */
  async function shown(id: string): Promise<string[]> {
    const rows = await api.host.query('SELECT last_event FROM shown WHERE email_id = $1 ORDER BY id', [id]);
    return rows.map(({ last_event }) => last_event).filter((value, at, all) => value !== all[at - 1]);
  }

  /** Replies to each recipient, one each time; afterwards it is accepted. */
  function answer(replies: Record<string, string[]>): void {
    api.sink.onRcpt = (address) => replies[address]?.shift();
  }

  it('is `queued` from the answer until the reply of the next hop', async () => {
    let taken = () => {};
    const pause = new Promise<void>((resolve) => {
      taken = resolve;
    });
    api.sink.onMessage = async () => {
      await pause;
      return undefined;
    };
    const id = await api.accept();
    expect((await api.record(id)).last_event).toBe('queued');
    await api.sink.waitFor(0);
    taken();
    await untilShown(api.host, id, 'delivered');
    expect(await shown(id)).toEqual(['queued', 'delivered']);
  });

  it('goes from `scheduled` over `queued` to the end', async () => {
    const id = await api.accept({ scheduled_at: new Date(Date.now() + api.host.seconds(0.7)).toISOString() });
    await untilShown(api.host, id, 'delivered');
    expect(await shown(id)).toEqual(['scheduled', 'queued', 'delivered']);
  });

  it.each<[string, Record<string, string[]>, string[]]>([
    ['a delay', { 'a@to.test': ['451 later'] }, ['queued', 'delivery_delayed', 'delivered']],
    ['a refusal', { 'a@to.test': ['550 no'] }, ['queued', 'bounced']],
    ['a delay, then a refusal', { 'a@to.test': ['451 later', '550 no'] }, ['queued', 'delivery_delayed', 'bounced']],
    ['three delays', { 'a@to.test': ['451 1', '451 2', '451 3'] }, ['queued', 'delivery_delayed', 'failed']],
    [
      'one refused, one delayed: the refusal stays',
      { 'a@to.test': ['550 no'], 'b@to.test': ['451 later'] },
      ['queued', 'bounced'],
    ],
    [
      'one delayed, one accepted: the delay, until it is over',
      { 'a@to.test': ['451 later'] },
      ['queued', 'delivery_delayed', 'delivered'],
    ],
    [
      'one delayed to the end, one accepted: the failure',
      { 'a@to.test': ['451 1', '451 2', '451 3'] },
      ['queued', 'delivery_delayed', 'failed'],
    ],
    ['one refused, one taken: the refusal', { 'b@to.test': ['550 no'] }, ['queued', 'bounced']],
  ])('shows the state that needs most attention and never moves back: %s', async (name, replies, expected) => {
    answer(replies);
    const id = await api.accept({ to: name.startsWith('one ') ? ['a@to.test', 'b@to.test'] : 'a@to.test' });
    await untilSettled(api.host, [id]);
    expect(await shown(id)).toEqual(expected);
    expect((await api.record(id)).last_event).toBe(expected.at(-1));
  });

  it('follows from a history with one end for each recipient, in spite of restarts', async () => {
    answer({ 'a@to.test': ['451 later', '451 later'], 'b@to.test': ['550 no'] });
    const id = await api.accept({ to: ['a@to.test', 'b@to.test', 'c@to.test'] });
    const second = await startHost({ smtp: api.sink, beside: api.host, env: { SMTP_HOP: 'final' } });
    await api.host.restart();
    await untilSettled(api.host, [id]);
    const history = await eventsOf(api.host, id);
    await second.restart();
    await api.host.restart();
    await api.deliver();
    expect(await eventsOf(api.host, id)).toEqual(history);
    const ends = history.filter(({ type }) => ['delivered', 'bounced', 'failed'].includes(type));
    expect(ends.map(({ recipient, type }) => `${recipient} ${type}`).sort()).toEqual([
      'a@to.test delivered',
      'b@to.test bounced',
      'c@to.test delivered',
    ]);
    expect(history.slice(1).every(({ recipient }) => recipient !== null)).toBe(true);
    expect((await api.record(id)).last_event).toBe('bounced');
  });
});
