import { costOf } from './message-cost.js';

const email = {
  from: 'a@from.test',
  to: ['b@to.test'],
  cc: [],
  replyTo: [],
  subject: 'Hello',
  html: null,
  text: null,
  headers: [],
};

describe('costOf', () => {
  it('is 0 for short html, long html with a text, long text and fifty recipients', () => {
    expect(costOf({ ...email, html: '<p>Hello</p>' })).toBe(0);
    expect(costOf({ ...email, html: '<p>Hello</p>'.repeat(10_000), text: 'Hello' })).toBe(0);
    expect(costOf({ ...email, text: 'Hello '.repeat(100_000) })).toBe(0);
    expect(costOf({ ...email, to: Array(50).fill('Somebody Someone <someone@to.test>') })).toBe(0);
  });

  it('is the length of long html without a text, and more than that of short html with many tags', () => {
    expect(costOf({ ...email, html: 'a'.repeat(100_000) })).toBe(100_000);
    expect(costOf({ ...email, html: '<b>'.repeat(301) })).toBe(16_000);
  });

  it('includes header fields when there are many', () => {
    expect(costOf({ ...email, headers: Array(100).fill(['X-A', 'é'.repeat(490)]) })).toBeGreaterThan(49_000);
    expect(costOf({ ...email, cc: Array(50).fill(`${'é'.repeat(200)} <c@to.test>`) })).toBe(16_000);
  });
});
