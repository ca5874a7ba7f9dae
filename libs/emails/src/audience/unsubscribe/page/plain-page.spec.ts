import { maskedAddress } from './masked-address.js';
import { PLAIN_PAGE_POLICY, PlainPage } from './plain-page.js';
import type { UnsubscribePageData } from './unsubscribe-page.js';
import { ENGLISH } from './unsubscribe-texts.js';

const [ONE, TWO] = ['0196a000-0000-7000-8000-000000000001', '0196a000-0000-7000-8000-000000000002'];
const topic = { description: null, isSubscribed: true, isOfEmail: false };
const DATA: UnsubscribePageData = {
  accountId: 'one',
  address: 'jane@to.test',
  language: 'en',
  texts: ENGLISH,
  topics: [
    { ...topic, id: ONE, name: 'News', isOfEmail: true },
    { ...topic, id: TWO, name: 'Offers', description: 'Each week.', isSubscribed: false },
  ],
  isOutOfAll: false,
  change: null,
};
const page = new PlainPage();

describe('PlainPage', () => {
  it('has a button for each choice, named by its topic, and one for everything', () => {
    const html = page.render(DATA);
    expect(html).toContain(`<button id="b0" name="topic" value="${ONE}" aria-labelledby="b0 t0">Unsubscribe</button>`);
    expect(html).toContain(`<button id="b1" name="topic" value="${TWO}" aria-labelledby="b1 t1">Subscribe</button>`);
    expect(html).toContain('<input type="hidden" name="choice" value="opt_out">');
    expect(html).toContain('<button name="all" value="1">Unsubscribe from everything</button>');
    expect(html).toContain('<html lang="en" dir="ltr">');
    expect(html.indexOf('News')).toBeLessThan(html.indexOf('Offers'));
    expect(html).not.toContain('jane@to.test');
  });

  it('needs no script, image or other file, and its policy allows none', () => {
    for (const html of [page.render(DATA), page.renderInvalid(DATA)]) {
      expect(html).not.toMatch(/<script|<img|<link|\bon\w+=|url\(|src=|href=|http:|https:/i);
    }
    expect(PLAIN_PAGE_POLICY).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
  });

  it.each([
    [{ kind: 'unsubscribed', topic: 'News' }, 'You are unsubscribed from “News”.'],
    [{ kind: 'subscribed', topic: 'News' }, 'You are subscribed to “News”.'],
    [{ kind: 'unsubscribed_from_all' }, 'You are unsubscribed from everything.'],
    [{ kind: 'not_changed' }, 'Nothing was changed'],
  ] as const)('says what has changed: %j', (change, message) => {
    const html = page.render({ ...DATA, change });
    expect(html).toContain(`<p role="status">${message}`);
    expect(html).toContain(`<title>${message}`);
  });

  it('says that somebody is out of everything, and what a choice then means', () => {
    const html = page.render({ ...DATA, isOutOfAll: true });
    expect(html).toContain(ENGLISH.outOfAll);
    expect(html).not.toContain('name="all"');
  });

  it('works without a topic', () => {
    expect(page.render({ ...DATA, topics: [] })).toContain(ENGLISH.noTopics);
  });

  it('escapes names, descriptions, addresses and texts', () => {
    const evil = `</style><script>"'&`;
    const html = page.render({
      ...DATA,
      address: `${evil}@to.test`,
      topics: [{ ...topic, id: ONE, name: evil, description: evil }],
      texts: { ...ENGLISH, title: evil, reader: evil },
      change: { kind: 'unsubscribed', topic: evil },
    });
    expect(html.match(/<script|<\/style>/g)).toEqual(['</style>']);
    const title = `${'$&{address}{topic}'}`;
    expect(page.render({ ...DATA, change: { kind: 'unsubscribed', topic: title } })).toContain(
      '“$&amp;{address}{topic}”',
    );
  });

  it('is written in the direction of its language', () => {
    const html = page.render({ ...DATA, language: 'ar', texts: { ...ENGLISH, direction: 'rtl' } });
    expect(html).toContain('<html lang="ar" dir="rtl">');
  });
});

describe('maskedAddress', () => {
  it.each([
    ['jane@to.test', 'j•••@to.test'],
    ['😀x@to.test', '😀•••@to.test'],
    ['"a@b"@to.test', '"•••@to.test'],
    ['@', '•••@'],
    ['', '•••'],
  ])('of %s is %s', (address, masked) => {
    expect(maskedAddress(address)).toBe(masked);
  });
});
