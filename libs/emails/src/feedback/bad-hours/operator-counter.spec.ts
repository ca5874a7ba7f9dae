import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { OperatorCounter, operatorOfAddress } from './operator-counter.js';
import type { NewOperatorCount } from './operators.repository.js';

const outcomes = (...addresses: string[]) => addresses.map((address) => ({ address, outcome: 'accepted' }));

function counter() {
  const written: (readonly NewOperatorCount[])[] = [];
  const failing = { is: false };
  const counting = new OperatorCounter({
    count: async (counts) => {
      if (failing.is) throw new Error('away');
      written.push(counts);
    },
  });
  return { counting, written, failing };
}
const recipients = (operator: string, count: number, accountId = 'one') => ({
  operator,
  accountId,
  recipients: count,
  refusals: 0,
  ownRefusals: 0,
});

describe('OperatorCounter', () => {
  it('counts recipients that were accepted or refused, by account and the operator of their domain', async () => {
    const { counting, written } = counter();
    counting.attempted({
      accountId: 'one',
      outcomes: outcomes('a@gmail.com', 'b@GMAIL.com', 'c@to.test', 'd@outlook.com'),
    });
    counting.attempted({
      accountId: 'one',
      outcomes: [
        { address: 'e@gmail.com', outcome: 'rejected' },
        { address: 'f@gmail.com', outcome: 'deferred' },
        { address: 'g@gmail.com', outcome: 'unknown' },
      ],
    });
    counting.attempted({ accountId: 'two', outcomes: outcomes('a@gmail.com') });
    await counting.flush();
    expect(written).toEqual([
      [recipients('gmail', 3), recipients('', 1), recipients('microsoft', 1), recipients('gmail', 1, 'two')],
    ]);
  });

  it('keeps counts that could not be written', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
    const { counting, written, failing } = counter();
    counting.attempted({ accountId: 'one', outcomes: outcomes('a@gmail.com') });
    failing.is = true;
    await counting.flush();
    failing.is = false;
    counting.attempted({ accountId: 'one', outcomes: outcomes('b@gmail.com') });
    await counting.beforeApplicationShutdown();
    expect(written).toEqual([[recipients('gmail', 2)]]);
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });
});

describe('operatorOfAddress', () => {
  it.each([
    ['a@gmail.com', 'gmail'],
    ['"a@b"@hotmail.com', 'microsoft'],
    ['a@sub.web.de', 'gmx-webde'],
    ['a@LIVE.com', 'microsoft'],
    ['a@notgmail.com', undefined],
    ['no address', undefined],
  ])('%s: %s', (address, operator) => {
    expect(operatorOfAddress(address)).toBe(operator);
  });
});
