import { until } from '../support/basics/wait-for.js';
import { ContractHost } from '../support/hosts/contract-host.js';
import { queueKind } from '../support/jest/test-environment.js';
import { eventsOf } from '../support/reading/deliveries.js';
import { ERASED, Erasing, FILE, someone } from '../support/requests/erasing.js';

let api: ContractHost;
let people: Erasing;

beforeAll(async () => {
  api = await ContractHost.share();
  people = new Erasing(api);
});

beforeEach(() => api.sink.reset());

/** Unsent mail, and mail in transit. */
describe(`a person who is erased, queue on ${queueKind()}`, () => {
  it('is removed from envelope and headers of mail pending for others, which is cleared after delivery', async () => {
    const person = someone();
    const id = await people.scheduled({
      to: [`Jane <${person}>`, 'bob@person.test'],
      cc: 'eve@person.test',
      reply_to: [person, 'desk@person.test'],
      subject: 'For the others',
      headers: { 'X-For': person, 'X-Kept': 'yes' },
      attachments: [FILE],
    });
    const erasure = await people.erase(person);
    await until(async () => (await people.whereIs(person)).length === 0);
    expect(await people.statusOf(erasure)).toBe('running');
    expect(await people.stateOf(id)).toMatchObject({ last_event: 'scheduled', finished: false });
    await people.fallDue(id);
    const { envelope, raw } = await api.sink.waitFor(({ raw }) => raw.includes(id));
    expect(envelope.to).toEqual(['bob@person.test', 'eve@person.test']);
    const message = raw.toString();
    expect(message).toMatch(/^To: bob@person\.test\r\nCc: eve@person\.test\r\nReply-To: desk@person\.test\r$/im);
    expect(message).toContain('X-Kept: yes');
    expect(message).toContain('cHJpdmF0ZQ==');
    expect(message).not.toMatch(/jane|erased/i);
    await people.untilFinished(erasure);
    expect(await api.record(id)).toMatchObject({
      subject: '',
      text: null,
      to: [ERASED, 'bob@person.test'],
      last_event: 'sent',
    });
  });

  it('ends the wait for a next hop of mail that others are still to get', async () => {
    const person = someone();
    const id = await people.scheduled({ to: [person, 'bob@person.test'], subject: 'Waits' });
    const waiting = 'UPDATE nestjs_emails.deliveries SET waits_for = 7, waits_from = now() WHERE email_id = $1';
    await api.host.query(waiting, [id]);
    await people.erase(person);
    await until(async () => (await people.whereIs(person)).length === 0);
    const state = 'SELECT waits_for, due_at > now() AS later FROM nestjs_emails.deliveries WHERE email_id = $1';
    expect(await api.host.query(state, [id])).toEqual([{ waits_for: null, later: true }]);
  });

  it('was the only one: the email is canceled, and its listeners are notified', async () => {
    const person = someone();
    const id = await people.scheduled({ to: person, cc: person.toUpperCase(), subject: 'Canceled' });
    await people.untilErased(person);
    expect(await api.record(id)).toMatchObject({ last_event: 'canceled', to: [ERASED], cc: [ERASED], text: null });
    expect((await eventsOf(api.host, id)).map(({ type }) => type)).toEqual(['scheduled', 'canceled']);
    await people.fallDue(id);
    await api.deliver();
    expect(people.offered('Canceled')).toEqual([]);
  });

  it('was the last pending recipient: copies of the others stay', async () => {
    const person = someone();
    api.sink.onRcpt = (address) => (address === person ? '450 4.7.1 later' : undefined);
    const id = await api.accept({ to: ['bob@person.test', person], subject: 'Half' });
    await until(async () => (await people.stateOf(id))?.last_event === 'delivery_delayed');
    await people.untilErased(person);
    expect(await people.stateOf(id)).toMatchObject({
      last_event: 'sent',
      finished: true,
      recipients: [
        { address: 'bob@person.test', status: 'sent' },
        { address: ERASED, status: 'refused' },
      ],
    });
  });

  it('is the sender of unsent mail: the address stays until then', async () => {
    const person = someone();
    const id = await people.scheduled({ from: `Jane <${person}>`, to: 'bob@person.test', subject: 'From Jane' });
    const erasure = await people.erase(person);
    await until(async () => (await api.host.query('SELECT FROM nestjs_emails.erasure_remainders')).length > 0);
    await people.fallDue(id);
    await people.untilFinished(erasure);
    expect(people.offered('From Jane')[0]?.raw.toString()).toContain(`From: Jane <${person}>`);
    expect(await api.record(id)).toMatchObject({ from: ERASED, subject: 'From Jane', text: expect.any(String) });
    expect(await people.whereIs(person)).toEqual([]);
  });

  it('waits for an attempt in progress, whose end is recorded', async () => {
    const person = someone();
    let answer = (_: string) => {};
    const held = new Promise<string>((resolve) => {
      answer = resolve;
    });
    api.sink.onMessage = () => held;
    const id = await api.accept({ to: [person, 'bob@person.test'], subject: 'On the wire' });
    await until(() => people.offered('On the wire').length === 1);
    const erasure = await people.erase(person);
    await people.untilTaken(erasure, 2);
    expect(await people.stateOf(id)).toMatchObject({ finished: false, recipients: [{ address: person }, {}] });
    answer('250 2.0.0 taken');
    await people.untilFinished(erasure);
    expect(await api.record(id)).toMatchObject({ last_event: 'sent', to: [ERASED, 'bob@person.test'], text: null });
    expect(people.offered('On the wire')).toHaveLength(1);
  });

  it('takes a lease from a worker without an open attempt, and the others get the email', async () => {
    const person = someone();
    const id = await people.scheduled({ to: [person, 'bob@person.test'], subject: 'Leased' });
    await api.host.query(
      `UPDATE nestjs_emails.deliveries SET fence = 1, last_event = 'queued', due_at = now() + interval '1 hour' WHERE email_id = $1`,
      [id],
    );
    const erasure = await people.erase(person);
    await until(async () => (await people.stateOf(id))?.fence === 2);
    await people.fallDue(id);
    await people.untilFinished(erasure);
    expect(people.offered('Leased').map(({ envelope }) => envelope.to)).toEqual([['bob@person.test']]);
  });
});
