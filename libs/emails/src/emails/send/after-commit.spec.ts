import { jest } from '@jest/globals';
import type { WakeUp } from '../queue/delivery-queue.js';
import type { Accepted } from '../storage/accept/emails.repository.js';
import type { JoinedTransaction } from '../storage/accept/transactions.js';
import { AfterCommit } from './after-commit.js';

const ACCEPTED: Accepted = { delay: 0, firstEvent: 'queued', eventId: '1', eventAt: 0 };

function make() {
  const wake = jest.fn<(wakeUp: WakeUp) => void>();
  const announce = jest.fn();
  const accepted = jest.fn();
  return { wake, announce, accepted, after: new AfterCommit({ wake }, { announce } as never, { accepted } as never) };
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

  it('wakes for ids as for new emails', () => {
    const { after, wake } = make();
    after.wake(['a', 'b']);
    expect(wake.mock.calls.map(([wakeUp]) => wakeUp)).toEqual([
      { emailId: 'a', accountId: 'a', fence: 0, delay: 0, mayShare: true },
      { emailId: 'b', accountId: 'b', fence: 0, delay: 0, mayShare: true },
    ]);
  });
});
