import type { RecipientOutcome } from '../ports/email-transport.js';
import { storableOutcomes } from './storable-outcomes.js';

const TO = ['a@to.test', 'b@to.test'];
const stored = (...outcomes: unknown[]) => storableOutcomes(TO, outcomes as RecipientOutcome[]);

describe('storableOutcomes', () => {
  it('keeps the outcomes of a transport', () => {
    const outcomes: RecipientOutcome[] = [
      { address: 'a@to.test', outcome: 'accepted', reply: { code: 250, text: '250 ok' } },
      { address: 'b@to.test', outcome: 'deferred', reply: { text: 'no' }, retryAfter: 5_000 },
    ];
    expect(storableOutcomes(TO, outcomes)).toEqual(outcomes);
  });

  it('keeps known reason codes only', () => {
    const [known, unknown] = stored(
      { address: 'a@to.test', outcome: 'rejected', reply: { text: 'no', reasonCode: 'message_too_large' } },
      { address: 'b@to.test', outcome: 'rejected', reply: { text: 'no', reasonCode: 'constructor' } },
    );
    expect(known?.reply).toEqual({ text: 'no', reasonCode: 'message_too_large' });
    expect(unknown?.reply).toEqual({ text: 'no' });
  });

  it('keeps known stages only', () => {
    const at = (stage: unknown) => ({ address: 'a@to.test', outcome: 'rejected', reply: { text: 'no', stage } });
    expect(stored(at('dot'))[0]?.reply).toEqual({ text: 'no', stage: 'dot' });
    expect(stored(at('toString'))[0]?.reply).toEqual({ text: 'no' });
  });

  it('makes the text storable', () => {
    const text = `250 \0${'x'.repeat(494)}🙂🙂`;
    const [first] = stored({ address: 'a@to.test', outcome: 'accepted', reply: { text } });
    expect(first?.reply.text).toBe(`250 \ufffd${'x'.repeat(494)}🙂`);
  });

  it('takes missing and invalid outcomes for unknown, and drops other recipients', () => {
    expect(
      stored({ address: 'b@to.test', outcome: 'perhaps' }, { address: 'c@to.test', outcome: 'accepted', reply: {} }),
    ).toEqual(TO.map((address) => expect.objectContaining({ address, outcome: 'unknown' })));
  });

  it.each([Number.NaN, Number.NEGATIVE_INFINITY, -1, 0, '5', null])('ignores a wait of %p', (retryAfter) => {
    const [first] = stored({ address: 'a@to.test', outcome: 'deferred', reply: { text: '' }, retryAfter });
    expect(first).toEqual({ address: 'a@to.test', outcome: 'deferred', reply: { text: '' } });
  });

  it('limits a wait to a day', () => {
    const [first] = stored({ address: 'a@to.test', outcome: 'deferred', reply: { text: '' }, retryAfter: 1e300 });
    expect(first?.retryAfter).toBe(86_400_000);
  });

  it('accepts a missing reply', () => {
    expect(stored({ address: 'a@to.test', outcome: 'rejected' })[0]?.reply).toEqual({ text: '' });
    expect(stored({ address: 'a@to.test', outcome: 'rejected', reply: { code: 'x', text: 5 } })[0]?.reply).toEqual({
      text: '5',
    });
  });
});
