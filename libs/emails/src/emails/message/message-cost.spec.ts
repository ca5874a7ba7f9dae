import { costOf } from './message-cost.js';

const email = {
  from: 'a@from.test',
  to: ['b@to.test'],
  cc: [],
  replyTo: [],
  subject: 'Hello',
  html: null,
  contentSize: 0,
  isHtmlOnly: false,
  headers: [],
};
const ofHtml = (html: string) => ({ ...email, html, contentSize: Buffer.byteLength(html), isHtmlOnly: true });

describe('costOf', () => {
  it('is 0 for short html, long html with a text, long text and fifty recipients', () => {
    expect(costOf(ofHtml('<p>Hello</p>'))).toBe(0);
    expect(costOf({ ...ofHtml('<p>Hello</p>'.repeat(10_000)), isHtmlOnly: false })).toBe(0);
    expect(costOf({ ...email, contentSize: 600_000 })).toBe(0);
    expect(costOf({ ...email, to: Array(50).fill('Somebody Someone <someone@to.test>') })).toBe(0);
  });

  it('is the length of long html without a text, and more than that of short html with many tags', () => {
    expect(costOf(ofHtml('a'.repeat(100_000)))).toBe(100_000);
    expect(costOf(ofHtml('<b>'.repeat(301)))).toBe(16_000);
  });

  it('is the same for html that was not read', () => {
    expect(costOf({ ...ofHtml('a'.repeat(100_000)), html: null })).toBe(100_000);
  });

  it('includes header fields when there are many', () => {
    expect(costOf({ ...email, headers: Array(100).fill(['X-A', 'é'.repeat(490)]) })).toBeGreaterThan(49_000);
    expect(costOf({ ...email, cc: Array(50).fill(`${'é'.repeat(200)} <c@to.test>`) })).toBe(16_000);
  });
});
