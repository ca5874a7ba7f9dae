import type { RecipientState } from '../../states/recipient-state.js';
import type { Lease } from '../../storage/deliver/delivery.repository.js';
import { postpone } from '../settlement.js';
import { splitEnd, type TurnEnd } from './split-end.js';

const RECIPIENTS: RecipientState[] = ['a', 'b', 'c'].map((name) => ({ address: `${name}@to.test`, status: 'pending' }));

const turnOf = (at: number, wait: number, pausedTransports?: readonly string[]): TurnEnd => {
  const recipient = RECIPIENTS[at] as RecipientState;
  return {
    turn: { message: at + 1, recipient, attempts: 0, lost: [] } as unknown as TurnEnd['turn'],
    settlement: { ...postpone([recipient], 0, wait), ...(pausedTransports && { pausedTransports }) },
    age: 0,
  };
};

const endOf = (...ends: TurnEnd[]) =>
  splitEnd({
    lease: { email: { recipients: RECIPIENTS.slice(0, ends.length), dueFor: 0 } } as unknown as Lease,
    held: { id: 'id', fence: 1 },
    ends,
    age: 0,
    wait: 0,
    attempts: 0,
  });

describe('the end of an email with paused transports', () => {
  it('waits for all of them when no recipient waits for anything else', () => {
    const end = endOf(turnOf(0, 0, ['one']), turnOf(1, 0, ['one', 'two']));
    expect(end).toMatchObject({ retryIn: 0, pausedTransports: ['one', 'two'] });
  });

  it('waits until the first of the others is due', () => {
    const end = endOf(turnOf(0, 0, ['one']), turnOf(1, 60_000), turnOf(2, 5_000));
    expect(end.retryIn).toBe(5_000);
    expect(end).not.toHaveProperty('pausedTransports');
  });
});
