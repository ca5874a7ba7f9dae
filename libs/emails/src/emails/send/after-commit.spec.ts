import { jest } from '@jest/globals';
import type { WakeUp } from '../queue/delivery-queue.js';
import type { Accepted, StoredWakeUp } from '../storage/accept/emails.repository.js';
import type { JoinedTransaction } from '../storage/accept/transactions.js';
import { AfterCommit } from './after-commit.js';

const ACCEPTED: Accepted = { delay: 0, firstEvent: 'queued', eventId: '1', eventAt: 0 };

function make() {
  const wake = jest.fn<(wakeUp: WakeUp) => void>();
  const announce = jest.fn();
  const accepted = jest.fn();
  const wakeUps = jest.fn<(ids: readonly string[]) => Promise<StoredWakeUp[]>>();
  const after = new AfterCommit({ wake }, { wakeUps }, { announce } as never, { accepted } as never);
  return { wake, announce, accepted, wakeUps, after };
}

const attachment = { filename: 'a', contentType: 'text/plain', contentId: null, contentHash: 'a', size: 200_000 };
const recipient = { address: 'a@b.test', status: 'pending' } as const;
const EMAIL = { id: 'a', accountId: 'one', recipients: [recipient], html: null, text: null, attachments: [] };

const notify = (after: AfterCommit, transaction?: Pick<JoinedTransaction, 'runner'>, email: object = {}) =>
  after.notify([{ ...EMAIL, ...email }], [ACCEPTED], 0, transaction as JoinedTransaction | undefined);

describe('AfterCommit', () => {
  it('wakes and notifies for committed emails', () => {
    const { after, wake, announce, accepted } = make();
    notify(after);
    expect([wake, announce, accepted].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1]);
  });

  it.each([
    [{}, false, 1],
    [{ isBulk: true }, true, 1],
    [{ recipients: [recipient, recipient], html: 'é'.repeat(50_000), text: 'x'.repeat(50_000) }, false, 3.5],
    [{ attachments: [attachment], copiedSize: 100_000 }, false, 4],
  ])('wakes with lane and cost of the email, case %#', (email, isBulk, cost) => {
    const { after, wake } = make();
    notify(after, undefined, email);
    expect(wake.mock.calls).toEqual([
      [{ emailId: 'a', accountId: 'one', fence: 0, delay: 0, mayShare: true, isBulk, cost }],
    ]);
  });

  it('does neither without a visible commit', () => {
    const { after, wake, announce, accepted } = make();
    notify(after, { runner: undefined });
    expect([wake, announce, accepted].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
  });

  it('wakes for ids in the turn of their accounts, and in their lanes', async () => {
    const { after, wake, wakeUps } = make();
    const stored = [
      { emailId: 'a', accountId: 'one', fence: 0, delay: 0, isBulk: false },
      { emailId: 'b', accountId: 'two', fence: 3, delay: 50, isBulk: true },
    ];
    wakeUps.mockResolvedValueOnce(stored);
    await after.wake(['a', 'b', 'c']);
    expect(wakeUps.mock.calls).toEqual([[['a', 'b', 'c']]]);
    expect(wake.mock.calls.map(([wakeUp]) => wakeUp)).toEqual(stored.map((each) => ({ ...each, mayShare: true })));
  });

  it('wakes none, and does not reject, without PostgreSQL', async () => {
    const { after, wake, wakeUps } = make();
    wakeUps.mockRejectedValueOnce(new Error('away'));
    await expect(after.wake(['a'])).resolves.toBeUndefined();
    expect(wake).not.toHaveBeenCalled();
  });
});
