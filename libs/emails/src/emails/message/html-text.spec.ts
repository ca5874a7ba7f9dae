import { costOf } from '../../shared/work/growth.spec-tools.js';
import { htmlToText } from './html-text.js';

describe('htmlToText', () => {
  it('keeps the words, the lines and the addresses of links', () => {
    const html = '<h1>Hello</h1><p>How <b>are</b> you?</p><a href="https://a.test/x">here</a>';
    expect(htmlToText(html)).toBe('HELLO\n\nHow are you?\n\nhere [https://a.test/x]');
  });

  it.each(['<constructor>a</constructor>', '<svg><constructor/></svg>'])(
    'is empty for html that the converter fails on: %s',
    (html) => {
      expect(htmlToText(html)).toBe('');
    },
  );

  it('has no control characters but tabs and line breaks', () => {
    expect(htmlToText('<ol type="a" start="x"><li>a</ol>')).toBe(' . a');
    expect(htmlToText('<pre>a\tb\r\nc\u0000\u0007\u007f\u009bd</pre>')).toBe('a\tb\r\ncd');
  });

  it('numbers a list in Roman numbers up to 3999, which are all there are, else in digits', () => {
    const listOf = (attributes: string, items: number) =>
      htmlToText(`<ol ${attributes}>${'<li>a</li>'.repeat(items)}</ol>`);
    expect(listOf('type="I" start="3998"', 2)).toBe(' MMMCMXCVIII. a\n MMMCMXCIX.   a');
    expect(listOf('type="i" start="3999"', 2)).toBe(' 3999. a\n 4000. a');
    expect(listOf('type="i" start="0"', 1)).toBe(' 0. a');
    expect(listOf('type="i" start="10000"', 1)).toBe(' 10000. a');
    expect(listOf('type="i"', 9_999)).toMatch(/ 9999\. a$/);
  });

  it('reads 20,000 tags, and no text after them', () => {
    expect(htmlToText(`${'<br>'.repeat(9_000)}end`)).toMatch(/end$/);
    // Neither deep nor wide, so that only the number of tags matters.
    const thousand = `<p>${'<b></b>'.repeat(499)}x</p>`;
    expect(htmlToText(`${thousand.repeat(20)}end<p>beyond</p>`)).toMatch(/end$/);
    expect(htmlToText(`${thousand.repeat(19)}end<p>beyond</p>`)).toMatch(/beyond$/);
  });

  it('reads 20,000 lines, and no text after them', () => {
    expect(htmlToText(`${'\n'.repeat(20_000)}end`)).toBe('end');
    expect(htmlToText(`${'\n'.repeat(20_000)}end\nbeyond`)).toBe('end');
  });

  it('reads 500,000 characters, and no text after them', () => {
    expect(htmlToText(`${' '.repeat(499_990)}<b>end</b>beyond`)).toBe('end');
  });

  const line = '<p>Some words that <b>mean</b> something, and <a href="https://a.test/">a link</a>.</p>\n';
  const newsletter = line.repeat(2_000_000 / line.length);
  let newsletterCost: number;

  beforeAll(() => {
    newsletterCost = costOf(() => htmlToText(newsletter));
  });

  const nested = (open: string) => open.repeat(10);
  const halves = (open: string, close: string) => open.repeat(10_000) + close.repeat(1_000_000 / close.length);

  it.each([
    ['elements that nobody closes', '<div>'.repeat(400_000)],
    ['the shortest of them', '<b>'.repeat(700_000)],
    ['unknown ones', '<x>'.repeat(700_000)],
    ['ends without a beginning', '</div>'.repeat(300_000)],
    ['ends that match nothing', halves('<b>', '</i>')],
    ['nested lists', '<ul><li>'.repeat(250_000)],
    ['nested tables', '<table><tr><td>'.repeat(130_000)],
    ['wide tables', `<table><tr>${'<td colspan=1000 rowspan=1000>x'.repeat(60_000)}`],
    ['headings', '<h1>x'.repeat(400_000)],
    ['links', '<a href=x>y'.repeat(180_000)],
    ['quotes', '<blockquote>'.repeat(160_000)],
    ['line breaks', '<br>'.repeat(500_000)],
    ['attributes', `<a ${'b=c '.repeat(500_000)}>x`],
    ['comments', '<!--'.repeat(500_000)],
    ['entities', '&amp;'.repeat(400_000)],
    ['one word', 'a'.repeat(2_000_000)],
    ['short words', 'a '.repeat(1_000_000)],
    ['white space', ' \n\t'.repeat(700_000)],
    ['less-than signs', '<'.repeat(2_000_000)],
    ['empty lines in lists', `${nested('<ul><li>')}<pre>${'\n'.repeat(2_000_000)}`],
    ['lines in quotes', `${nested('<blockquote>')}<pre>${'a\n'.repeat(1_000_000)}`],
    ['words in lists, headings and links', `${nested('<ul><li>')}${nested('<h1><a href=x>')}${'ΐ '.repeat(1_000_000)}`],
  ])('needs hardly more time for 2 MB of %s than for 2 MB of a newsletter', (_, html) => {
    expect(costOf(() => htmlToText(html), 2) / newsletterCost).toBeLessThan(10);
  });

  it.each([
    ['quotes', 'blockquote', '<br>x'],
    ['lists', 'ul><li', '<br>x'],
    ['headings', 'h1', 'a '],
    ['links', 'a href=x', 'a '],
  ])('needs hardly more time for fifty nested %s than for ten', (_, tag, inside) => {
    const html = (times: number) => `<${tag}>`.repeat(times) + inside.repeat(10_000);
    expect(costOf(() => htmlToText(html(50))) / costOf(() => htmlToText(html(10)))).toBeLessThan(2);
  });

  it('shows ten levels of quotes and lists, and the words and links of all levels', () => {
    const inside = '<a href="https://a.test/x">deep</a>';
    expect(htmlToText(`${'<blockquote>'.repeat(10)}${inside}`)).toBe(`${'> '.repeat(10)}deep [https://a.test/x]`);
    expect(htmlToText(`${'<blockquote>'.repeat(20)}${inside}`)).toBe(`${'> '.repeat(10)}deep [https://a.test/x]`);
    expect(htmlToText(`${'<ul><li>'.repeat(20)}${inside}`)).toMatch(/^ (?:\* ){10}deep \[https:\/\/a.test\/x\]$/);
  });

  it('shows the outer one of nested links: html allows no link in a link', () => {
    const html = '<a href="https://a.test/">a <b><a href="https://b.test/">b</a></b></a>';
    expect(htmlToText(html)).toBe('a b [https://a.test/]');
  });

  it('returns at most twice as much text, and cuts it at the end of a line', () => {
    const html = `${'<blockquote>'.repeat(10)}${'<hr>'.repeat(3_840)}`;
    const text = htmlToText(html);
    expect(text.length).toBeLessThanOrEqual(2 * html.length);
    expect(text.length).toBeGreaterThan(html.length);
    expect(text.endsWith('\n')).toBe(true);
  });
});
