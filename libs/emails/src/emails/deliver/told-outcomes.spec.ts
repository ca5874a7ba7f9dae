import type { RecipientOutcome } from '../ports/email-transport.js';
import { toldOutcomes } from './told-outcomes.js';

const TO = ['a@to.test', 'b@to.test'];
const told = (...outcomes: unknown[]) => toldOutcomes(TO, outcomes as RecipientOutcome[]);

describe('toldOutcomes', () => {
  it('keeps what a transport says', () => {
    const outcomes: RecipientOutcome[] = [
      { address: 'a@to.test', outcome: 'accepted', reply: { code: 250, text: '250 ok' } },
      { address: 'b@to.test', outcome: 'deferred', reply: { text: 'no' }, retryAfter: 5_000 },
    ];
    expect(toldOutcomes(TO, outcomes)).toEqual(outcomes);
  });

  it('makes the text storable', () => {
    const text = `250 \0${'x'.repeat(494)}🙂🙂`;
    const [first] = told({ address: 'a@to.test', outcome: 'accepted', reply: { text } });
    expect(first?.reply.text).toBe(`250 \ufffd${'x'.repeat(494)}🙂`);
  });

  it('takes silence and nonsense for unknown, and leaves out whoever was not sent to', () => {
    expect(
      told({ address: 'b@to.test', outcome: 'perhaps' }, { address: 'c@to.test', outcome: 'accepted', reply: {} }),
    ).toEqual(TO.map((address) => expect.objectContaining({ address, outcome: 'unknown' })));
  });

  it.each([Number.NaN, Number.NEGATIVE_INFINITY, -1, 0, '5', null])('takes no wait of %p', (retryAfter) => {
    const [first] = told({ address: 'a@to.test', outcome: 'deferred', reply: { text: '' }, retryAfter });
    expect(first).toEqual({ address: 'a@to.test', outcome: 'deferred', reply: { text: '' } });
  });

  it('waits for a day at most', () => {
    const [first] = told({ address: 'a@to.test', outcome: 'deferred', reply: { text: '' }, retryAfter: 1e300 });
    expect(first?.retryAfter).toBe(86_400_000);
  });

  it('lives with a reply that is none', () => {
    expect(told({ address: 'a@to.test', outcome: 'rejected' })[0]?.reply).toEqual({ text: '' });
    expect(told({ address: 'a@to.test', outcome: 'rejected', reply: { code: 'x', text: 5 } })[0]?.reply).toEqual({
      text: '5',
    });
  });
});
