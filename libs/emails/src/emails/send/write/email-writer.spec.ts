import { setTimeout } from 'node:timers/promises';
import { OutcomeUnknownError } from '../../../shared/errors/database-errors.js';
import type { AcceptResult, BusyLock, EmailStore, NewEmail } from '../../storage/accept/emails.repository.js';
import { EmailWriter } from './email-writer.js';

const ACCEPTED: AcceptResult = { accepted: true, delay: 0, firstEvent: 'queued', eventId: '1', eventAt: 0 };
const busy = (lock: BusyLock): AcceptResult => ({ accepted: false, busy: lock });

let made = 0;

function email(accountId: string, key?: string): NewEmail {
  const id = `email-${made++}`;
  return { id, accountId, messageId: `<${id}@a.b>`, idempotency: key === undefined ? null : { key } } as NewEmail;
}

/** A scripted store that records the emails of each call. */
function storeOf(answers: Partial<EmailStore>, patience?: number) {
  const calls: [string, number][] = [];
  const noting =
    (name: 'accept' | 'acceptFree') =>
    async (emails: readonly NewEmail[], lockTimeout: number): Promise<AcceptResult[]> => {
      calls.push([name, emails.length]);
      return answers[name] ? answers[name](emails, lockTimeout) : emails.map(() => ACCEPTED);
    };
  const store = {
    findAccepted: async () => new Map(),
    ...answers,
    accept: noting('accept'),
    acceptFree: noting('acceptFree'),
  } as unknown as EmailStore;
  return { calls, writer: new EmailWriter(store, patience) };
}

const refusal = (code: string) => Object.assign(new Error('no'), { severity: 'ERROR', code });
const all = (writer: EmailWriter, emails: readonly NewEmail[]) =>
  Promise.allSettled(emails.map((one) => writer.write(one)));
const statuses = (results: readonly PromiseSettledResult<unknown>[]) => new Set(results.map(({ status }) => status));

describe('EmailWriter', () => {
  it('writes concurrent emails in one statement', async () => {
    const { calls, writer } = storeOf({});
    const emails = Array.from({ length: 100 }, () => email('a'));
    expect(await Promise.all(emails.map((one) => writer.write(one)))).toEqual(emails.map(() => ACCEPTED));
    expect(calls).toEqual([['accept', 100]]);
  });

  it('writes long emails one by one, alongside the others', async () => {
    let finish = () => {};
    const { calls, writer } = storeOf({
      accept: async (emails) => {
        if (emails.some(({ html }) => html)) await new Promise<void>((resolve) => (finish = resolve));
        return emails.map(() => ACCEPTED);
      },
    });
    const long = [0, 1].map(() => writer.write({ ...email('a'), html: 'x'.repeat(1_000_001) }));
    expect(await writer.write(email('b'))).toEqual(ACCEPTED);
    expect(calls).toEqual([
      ['accept', 1],
      ['accept', 1],
    ]);
    for (const one of long) {
      finish();
      expect(await one).toEqual(ACCEPTED);
      await new Promise(setImmediate);
    }
    expect(calls).toHaveLength(3);
  });

  it('looks once for a group that took too long, without a retry of each email', async () => {
    const { calls, writer } = storeOf({ accept: () => Promise.reject(refusal('57014')) });
    const results = await all(
      writer,
      Array.from({ length: 100 }, () => email('a')),
    );
    expect(statuses(results)).toEqual(new Set(['rejected']));
    expect(calls).toEqual([['accept', 100]]);
  });

  it('when a lock times out, writes the free emails, and the rest alongside the others', async () => {
    let held = true;
    const { calls, writer } = storeOf({
      accept: async (emails) => {
        if (emails.some(({ accountId }) => accountId === 'held' && held)) throw refusal('55P03');
        return emails.map(() => ACCEPTED);
      },
      acceptFree: async (emails) =>
        emails.map(({ accountId }) => (accountId === 'held' && held ? busy('account') : ACCEPTED)),
    });
    const others = Array.from({ length: 98 }, () => writer.write(email('a')));
    const waiting = [email('held'), email('held')].map((one) => writer.write(one));
    expect(await Promise.all(others)).toEqual(others.map(() => ACCEPTED));
    expect(calls.slice(0, 2)).toEqual([
      ['accept', 100],
      ['acceptFree', 100],
    ]);
    held = false;
    expect(await Promise.all(waiting)).toEqual([ACCEPTED, ACCEPTED]);
  });

  it('after an invisible claim of a key, writes emails without keys at once, and isolates that one', async () => {
    const isHidden = (emails: readonly NewEmail[]) => emails.some(({ idempotency }) => idempotency?.key === 'hidden');
    const claim = async (emails: readonly NewEmail[]) => {
      if (isHidden(emails)) throw refusal('55P03');
      return emails.map(() => ACCEPTED);
    };
    const { calls, writer } = storeOf({ accept: claim, acceptFree: claim }, 1_500);
    const keyless = Array.from({ length: 50 }, () => writer.write(email('a')));
    const keyed = Array.from({ length: 49 }, (_, n) => writer.write(email('a', `k${n}`)));
    const hidden = writer.write(email('a', 'hidden'));
    expect(await Promise.all([...keyless, ...keyed])).toEqual([...keyless, ...keyed].map(() => ACCEPTED));
    expect(calls.slice(0, 3)).toEqual([
      ['accept', 100],
      ['acceptFree', 100],
      ['acceptFree', 50],
    ]);
    await expect(hidden).rejects.toMatchObject({ statusCode: 503 });
  });

  it('writes emails with given message ids alongside the others, and isolates a duplicate', async () => {
    const { calls, writer } = storeOf({
      accept: async (emails) => {
        if (emails.some(({ messageId }) => messageId === '<taken@a.b>')) throw refusal('23505');
        return emails.map(() => ACCEPTED);
      },
    });
    const named = (messageId: string) => ({ ...email('a'), messageId });
    const others = Array.from({ length: 100 }, () => email('a'));
    const free = ['<1@a.b>', '<2@a.b>', '<3@a.b>'].map(named);
    const writing = all(writer, [...others, ...free]);
    await expect(writer.write(named('<taken@a.b>'))).rejects.toMatchObject({ code: '23505' });
    expect(statuses(await writing)).toEqual(new Set(['fulfilled']));
    expect(calls.map(([, size]) => size).sort((a, b) => b - a)).toEqual([100, 4, 2, 2, 1, 1]);
  });

  it('leaves out a message id with an invisible claim', async () => {
    const hidden = { ...email('a'), messageId: '<hidden@a.b>' };
    const claim = async (emails: readonly NewEmail[]) => {
      if (emails.includes(hidden)) throw refusal('55P03');
      return emails.map(() => ACCEPTED);
    };
    const { writer } = storeOf({ accept: claim, acceptFree: claim }, 1_500);
    const free = writer.write({ ...email('a'), messageId: '<free@a.b>' });
    await expect(writer.write(hidden)).rejects.toMatchObject({ message: expect.stringMatching(/same `message_id`/) });
    expect(await free).toEqual(ACCEPTED);
  });

  it('queues for a list that is never found free, with all of its emails together', async () => {
    const { calls, writer } = storeOf({
      accept: async (emails) => {
        if (calls.length === 1) throw refusal('55P03');
        return emails.map(() => ACCEPTED);
      },
      acceptFree: async (emails) =>
        emails.map(({ accountId }) => (accountId === 'passed on' ? busy('account') : ACCEPTED)),
    });
    const emails = ['passed on', 'other', 'passed on', 'passed on'].map((account) => writer.write(email(account)));
    expect(await Promise.all(emails)).toEqual(emails.map(() => ACCEPTED));
    expect(calls).toEqual([
      ['accept', 4],
      ['acceptFree', 4],
      ['acceptFree', 3],
      ['accept', 3],
    ]);
  });

  it('keeps the emails of a locked account out of the shared lane until it is free', async () => {
    let free = false;
    let shared = 0;
    let asked = 0;
    const { writer } = storeOf({
      accept: async (emails) => {
        const held = emails.some(({ accountId }) => accountId === 'held');
        if (held && emails.some(({ accountId }) => accountId === 'other')) shared++;
        if (held && !free) throw refusal('55P03');
        return emails.map(() => ACCEPTED);
      },
      acceptFree: async (emails) => {
        asked++;
        return emails.map(({ accountId }) => (accountId === 'held' && !free ? busy('account') : ACCEPTED));
      },
    });
    const first = [writer.write(email('held')), writer.write(email('other'))];
    while (asked < 2) await writer.write(email('other'));
    const later = Array.from({ length: 20 }, () => [writer.write(email('held')), writer.write(email('other'))]).flat();
    for (const wanted = asked + 2; asked < wanted; ) await writer.write(email('other'));
    expect(shared).toBe(1);
    free = true;
    await Promise.all([...first, ...later]);
    await Promise.all([writer.write(email('held')), writer.write(email('other'))]);
    expect(shared).toBe(2);
  });

  it('gives up after its timeout, and says that nothing was accepted', async () => {
    const answers: Partial<EmailStore> = {
      accept: async (emails) => emails.map(() => busy('key')),
      acceptFree: async (emails) => emails.map(() => busy('key')),
    };
    const { calls, writer } = storeOf(answers, 50);
    await expect(writer.write(email('a', 'k'))).rejects.toMatchObject({
      statusCode: 503,
      message: expect.stringMatching(/Nothing was accepted/),
    });
    expect(calls.filter(([name]) => name === 'accept')).toEqual([['accept', 1]]);
  });

  it('while the database cannot serve, does not write emails that waited too long', async () => {
    const ends: (() => void)[] = [];
    const accept = () => new Promise<AcceptResult[]>((_, reject) => ends.push(() => reject(refusal('57014'))));
    const { calls, writer } = storeOf({ accept }, 50);
    const results = all(
      writer,
      Array.from({ length: 250 }, () => email('a')),
    );
    while (ends.length === 0) await setTimeout(1);
    await setTimeout(60);
    ends[0]?.();
    expect(statuses(await results)).toEqual(new Set(['rejected']));
    expect(calls).toEqual([['accept', 100]]);
  });

  it('finds out the outcome of emails whose connection broke', async () => {
    const emails = [email('a'), email('a')];
    const [there, missing] = emails as [NewEmail, NewEmail];
    const { calls, writer } = storeOf({
      accept: () => Promise.reject(new OutcomeUnknownError({ cause: new Error('Connection terminated') })),
      findAccepted: async (ids) => new Map(ids.filter((id) => id === there.id).map((id) => [id, ACCEPTED])),
    });
    const [found, lost] = await all(writer, [there, missing]);
    expect(found).toEqual({ status: 'fulfilled', value: ACCEPTED });
    expect(lost).toMatchObject({ reason: { statusCode: 503, message: expect.stringMatching(/not known whether/) } });
    expect(calls).toEqual([['accept', 2]]);
  });
});
