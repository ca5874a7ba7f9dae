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

const notify = (after: AfterCommit, transaction?: Pick<JoinedTransaction, 'runner'>) =>
  after.notify([{ id: 'a', accountId: 'one' }], [ACCEPTED], 0, transaction as JoinedTransaction | undefined);

describe('AfterCommit', () => {
  it('wakes and notifies for committed emails', () => {
    const { after, wake, announce, accepted } = make();
    notify(after);
    expect([wake, announce, accepted].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1]);
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
      { emailId: 'a', accountId: 'a', fence: 0, delay: 0, isFirst: true },
      { emailId: 'b', accountId: 'b', fence: 0, delay: 0, isFirst: true },
    ]);
  });
});
