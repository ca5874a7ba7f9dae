import { setTimeout } from 'node:timers/promises';
import { OutcomeUnknownError } from '../errors/database-errors.js';
import type { AcceptResult, BusyLock, EmailStore, NewEmail } from '../storage/email.repository.js';
import { EmailWriter } from './email-writer.js';

const ACCEPTED: AcceptResult = { accepted: true, delay: 0, firstEvent: 'queued' };
const busy = (lock: BusyLock): AcceptResult => ({ accepted: false, busy: lock });

let made = 0;

function email(accountId: string, key?: string): NewEmail {
  return { id: `email-${made++}`, accountId, idempotency: key === undefined ? null : { key } } as NewEmail;
}

/** A store that answers as the test says, and notes the emails of each call. */
function storeOf(answers: Partial<EmailStore>, patience?: number) {
  const calls: [string, number][] = [];
  const noting =
    (name: 'accept' | 'acceptWaiting') =>
    async (emails: readonly NewEmail[], lockTimeout: number): Promise<AcceptResult[]> => {
      calls.push([name, emails.length]);
      return answers[name] ? answers[name](emails, lockTimeout) : emails.map(() => ACCEPTED);
    };
  const store = {
    isFree: async () => true,
    findAccepted: async () => new Map(),
    ...answers,
    accept: noting('accept'),
    acceptWaiting: noting('acceptWaiting'),
  } as unknown as EmailStore;
  return { calls, writer: new EmailWriter(store, patience) };
}

const refusal = (code: string) => Object.assign(new Error('no'), { severity: 'ERROR', code });
const all = (writer: EmailWriter, emails: readonly NewEmail[]) =>
  Promise.allSettled(emails.map((one) => writer.write(one)));
const statuses = (results: readonly PromiseSettledResult<unknown>[]) => new Set(results.map(({ status }) => status));

describe('EmailWriter', () => {
  it('writes what comes together in one statement', async () => {
    const { calls, writer } = storeOf({});
    const emails = Array.from({ length: 100 }, () => email('a'));
    expect(await Promise.all(emails.map((one) => writer.write(one)))).toEqual(emails.map(() => ACCEPTED));
    expect(calls).toEqual([['accept', 100]]);
  });

  it('writes long emails one by one, beside the others', async () => {
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

  it('asks for a group that took too long once: its emails are not tried one after the other', async () => {
    const { calls, writer } = storeOf({ accept: () => Promise.reject(refusal('57014')) });
    const results = await all(
      writer,
      Array.from({ length: 100 }, () => email('a')),
    );
    expect(statuses(results)).toEqual(new Set(['rejected']));
    expect(calls).toEqual([['accept', 100]]);
  });

  it('when a lock does not come, writes at once what has no key, and the rest beside it', async () => {
    const { calls, writer } = storeOf({
      accept: async (emails) => {
        if (emails.some(({ idempotency }) => idempotency)) throw refusal('55P03');
        return emails.map(() => ACCEPTED);
      },
    });
    const emails = [...Array.from({ length: 98 }, () => email('a')), email('a', 'k'), email('b', 'k')];
    expect(statuses(await all(writer, emails))).toEqual(new Set(['fulfilled']));
    expect(calls).toEqual([
      ['accept', 100],
      ['accept', 98],
      ['acceptWaiting', 1],
      ['acceptWaiting', 1],
    ]);
  });

  it('lets a held account wait in a lane of its own, which later emails of it go to directly', async () => {
    let free = false;
    let asked = 0;
    let shared = 0;
    const { calls, writer } = storeOf({
      accept: async (emails) =>
        emails.map(({ accountId }) => {
          if (accountId !== 'held') return ACCEPTED;
          shared++;
          return busy('account');
        }),
      acceptWaiting: async (emails) => {
        if (!free) throw refusal('55P03');
        return emails.map(() => ACCEPTED);
      },
      isFree: async () => {
        asked++;
        return free;
      },
    });
    const first = writer.write(email('held'));
    while (asked === 0) await writer.write(email('other'));
    const later = Array.from({ length: 20 }, () => writer.write(email('held')));
    const before = calls.length;
    for (const wanted = asked + 2; asked < wanted; ) await writer.write(email('other'));
    expect(calls.slice(before).filter(([name]) => name === 'acceptWaiting')).toEqual([]);
    free = true;
    await Promise.all([first, ...later]);
    expect(shared).toBe(1);
    const [tried, ...written] = calls.filter(([name]) => name === 'acceptWaiting').map(([, size]) => size);
    expect(tried).toBe(1);
    expect(written.reduce((sum, size) => sum + size)).toBe(21);
  });

  it('gives up when its patience is over, and says that nothing was accepted', async () => {
    const answers: Partial<EmailStore> = {
      accept: async (emails) => emails.map(() => busy('key')),
      isFree: async () => false,
    };
    const { calls, writer } = storeOf(answers, 50);
    await expect(writer.write(email('a', 'k'))).rejects.toMatchObject({
      statusCode: 503,
      message: expect.stringMatching(/Nothing was accepted/),
    });
    expect(calls).toEqual([['accept', 1]]);
  });

  it('while the database cannot serve, does not write what has waited too long for its turn', async () => {
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

  it('finds out what has become of emails whose connection broke', async () => {
    const emails = [email('a'), email('a')];
    const [there, gone] = emails as [NewEmail, NewEmail];
    const { calls, writer } = storeOf({
      accept: () => Promise.reject(new OutcomeUnknownError({ cause: new Error('Connection terminated') })),
      findAccepted: async (ids) => new Map(ids.filter((id) => id === there.id).map((id) => [id, ACCEPTED])),
    });
    const [found, lost] = await all(writer, [there, gone]);
    expect(found).toEqual({ status: 'fulfilled', value: ACCEPTED });
    expect(lost).toMatchObject({ reason: { statusCode: 503, message: expect.stringMatching(/not known whether/) } });
    expect(calls).toEqual([['accept', 2]]);
  });
});
