import { decoded, tagsOf } from './html-tags';

const namesOf = (html: string) => [...tagsOf(html)].map(({ kind, name }) => name || kind);
const attributesOf = (html: string) =>
  [...tagsOf(html)].flatMap(({ attributes }) => attributes.map(({ name, value }) => [name, value]));

describe('tagsOf', () => {
  it('finds tags, end tags and comments', () => {
    expect(namesOf('<!doctype html><P>a <b>b</b><!-- <i> --><br/></P> 1 < 2')).toEqual([
      'comment',
      'p',
      'b',
      '/b',
      'comment',
      'br',
      '/p',
    ]);
  });

  it('reads attributes with every kind of quote, and decodes them', () => {
    expect(attributesOf(`<a HREF="x?a=1&amp;b=2" title='"' data-x=y hidden alt = "z" =q>`)).toEqual([
      ['href', 'x?a=1&b=2'],
      ['title', '"'],
      ['data-x', 'y'],
      ['hidden', ''],
      ['alt', 'z'],
      ['q', ''],
    ]);
  });

  it('does not look into scripts and styles', () => {
    expect(namesOf('<style>a > b {} <i></styles></STYLE ><script>"<b>"</script><u>')).toEqual([
      'style',
      '/style',
      'script',
      '/script',
      'u',
    ]);
  });

  it('ends with html that is cut off anywhere', () => {
    const html = `<!-- a --><a href="b" title='c'>d</a><style>e</style>`;
    for (let end = 0; end <= html.length; end += 1) {
      for (const { start, end: last } of tagsOf(html.slice(0, end))) {
        expect(last).toBeGreaterThan(start);
        expect(last).toBeLessThanOrEqual(end);
      }
    }
  });

  it.each([
    ['open tags', '<a '],
    ['open quotes', '<a b="'],
    ['single quotes', "<a b='"],
    ['blanks', '<a b          '],
    ['blanks behind signs', '<a b=          '],
    ['open comments', '<!--'],
    ['brackets', '<'],
    ['end tags without a tag', '<style></styl'],
    ['references', '&#38;&amp'],
  ])('takes linear time for many %s', (_, piece) => {
    const html = piece.repeat(100_000);
    const start = process.cpuUsage();
    for (const part of tagsOf(html)) if (part.end <= part.start) throw new Error('an empty part');
    const { user, system } = process.cpuUsage(start);
    // About half a second of processor time; a square takes half a minute and more.
    expect((user + system) / 1_000).toBeLessThan(8_000);
  });
});

describe('decoded', () => {
  it('knows the common references, and leaves others', () => {
    expect(decoded('&lt;&#65;&#x42;&amp;amp; &nope; &copy;')).toBe('<AB&amp; &nope; &copy;');
    expect(decoded('&#0;&#1114112;')).toBe('\ufffd\ufffd');
  });
});
