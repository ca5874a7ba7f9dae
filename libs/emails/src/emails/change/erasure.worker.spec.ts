import { Logger } from '@nestjs/common';
import { EventAnnouncer } from '../observation/event-announcer.js';
import type { EmailEvent } from '../ports/event-listener.js';
import type { EmailsToErase, PersonToErase } from '../ports/person-eraser.js';
import type { ClaimedErasure, ClearedEmails } from '../storage/erase/erasure.repository.js';
import { ErasureWorker } from './erasure.worker.js';

const claim: ClaimedErasure = {
  id: 'erasure',
  accountId: 'account',
  address: 'Jane@person.test',
  searched: false,
  fence: 1,
  before: new Date(0),
};
const refusal = (code: string) => Object.assign(new Error('no'), { code });

type Repository = ConstructorParameters<typeof ErasureWorker>[0];

/** A worker with a scripted repository, and the calls to that repository. */
function workerOf(
  claimed: Partial<ClaimedErasure> | undefined,
  search: Repository['search'],
  more: boolean[] = [],
  cleared?: ClearedEmails,
  contents: Awaited<ReturnType<Repository['deleteContents']>> = 'none',
) {
  const calls: string[] = [];
  const events: EmailEvent[] = [];
  const asked: PersonToErase[] = [];
  const note = (name: string) => async () => void calls.push(name);
  const repository: Repository = {
    claim: async () => claimed && { ...claim, ...claimed },
    search: (...args) => {
      calls.push(`search ${args[1].limit}`);
      return search(...args);
    },
    passOver: note('passOver'),
    goOn: note('goOn'),
    forgetAddress: note('forgetAddress'),
    clear: async () => {
      calls.push('clear');
      return cleared;
    },
    forgetRemainders: note('forgetRemainders'),
    deleteContents: async () => contents,
    endRound: async (_, [least, most], isUndecided) => void calls.push(`endRound ${least} ${most} ${isUndecided}`),
    lookout: {} as Repository['lookout'],
    question: { sql: '', values: [] },
  };
  const erasers = more.map((answer) => ({
    erase: async (person: PersonToErase) => {
      asked.push(person);
      return answer;
    },
    eraseEmails: async ({ emails }: EmailsToErase) => {
      calls.push(`emails ${emails.map(({ id }) => id)}`);
      return answer;
    },
  }));
  const announcer = new EventAnnouncer([{ onEvents: (announced) => void events.push(...announced) }]);
  return { worker: new ErasureWorker(repository, erasers, announcer), calls, events, asked };
}

describe('ErasureWorker', () => {
  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(['log', 'warn', 'error']));

  it('does nothing when nothing is due', async () => {
    const { worker, calls } = workerOf(undefined, async () => []);
    expect(await worker.step()).toBe(false);
    expect(calls).toEqual([]);
  });

  it('notifies listeners of canceled emails', async () => {
    const event = { emailId: 'email', id: '1', createdAt: new Date(0) };
    const { worker, events } = workerOf({}, async () => [event]);
    expect(await worker.step()).toBe(true);
    expect(events).toEqual([{ ...event, accountId: 'account', type: 'canceled' }]);
  });

  it('searches every field that holds an address, in one spelling', async () => {
    let words: readonly string[] = [];
    const { worker } = workerOf({}, async (_, search) => {
      words = search.words;
      return [];
    });
    await worker.step();
    expect(words).toEqual(['rcpt', 'cc', 'bcc', 'from', 'reply'].map((field) => `${field}:jane@person.test`));
  });

  it.each(['55P03', '22P02', 'undefined'])(
    'erases emails one by one after %s, and skips the one that fails',
    async (code) => {
      const { worker, calls } = workerOf({}, () => Promise.reject(refusal(code)));
      expect(await worker.step()).toBe(true);
      expect(calls).toEqual(['search 100', 'search 1', 'passOver']);
    },
  );

  it('waits for a database that is away', async () => {
    const { worker, calls } = workerOf({}, () => Promise.reject(refusal('57P01')));
    await expect(worker.step()).rejects.toThrow();
    expect(calls).toEqual(['search 100']);
  });

  it.each([
    [[], 'forgetAddress'],
    [[false, false], 'forgetAddress'],
    [[true, false], 'goOn'],
    [[false, true], 'goOn'],
  ])('calls the person erasers after all emails: %j', async (more, then) => {
    const { worker, calls, asked } = workerOf({ searched: true }, async () => [], more);
    await worker.step();
    expect(calls).toEqual([then]);
    expect(asked).toEqual(more.map(() => ({ accountId: 'account', address: claim.address, before: claim.before })));
  });

  it('clears the remaining emails once the address is forgotten', async () => {
    const { worker, calls } = workerOf({ address: null, searched: true }, async () => [], [false]);
    await worker.step();
    expect(calls).toEqual(['clear', 'endRound 500 300000 false']);
  });

  it.each([
    ['deleted', 'goOn'],
    ['undecided', 'endRound 30000 30000 true'],
  ] as const)('deletes contents after the last email, and then, when they are %s: %s', async (contents, then) => {
    const { worker, calls } = workerOf({ address: null }, async () => [], [false], undefined, contents);
    expect(await worker.step()).toBe(true);
    expect(calls).toEqual(['clear', then]);
  });

  it.each([
    [[false, false], 'forgetRemainders'],
    [[true, false], 'goOn'],
  ])('asks the person erasers about cleared emails before it forgets them, with the answer %j', async (more, then) => {
    const email = {
      id: 'email',
      messageId: '',
      from: '',
      to: [],
      cc: [],
      bcc: [],
      subject: '',
      headers: [],
      isCleared: true,
    };
    const cleared: ClearedEmails = { emails: [email], place: '1' };
    const { worker, calls } = workerOf({ address: null }, async () => [], more, cleared);
    expect(await worker.step()).toBe(true);
    expect(calls).toEqual(['clear', 'emails email', 'emails email', then]);
  });
});
