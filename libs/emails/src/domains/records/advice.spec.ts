import { ADVICE_CODES, adviceText } from './advice.js';

const RECORD = { name: 'send.example.com', relative: 'send', type: 'TXT', value: 'v=spf1 a ~all' };

describe('adviceText', () => {
  it.each(ADVICE_CODES)('%s is one or two whole sentences', (code) => {
    const text = adviceText({ code, detail: 'DETAIL' }, RECORD);
    expect(text).toMatch(/^[A-Z][^{}]+\.$/);
    expect(text.length).toBeLessThan(250);
  });

  it('puts text of strangers in once, as it is', () => {
    expect(adviceText({ code: 'other_mx', detail: '{value} $& $1' }, RECORD)).toBe(
      'The MX record points to {value} $& $1. It must be v=spf1 a ~all.',
    );
  });

  it('is empty for a code of a newer version', () => expect(adviceText({ code: 'new' as never }, RECORD)).toBe(''));
});
