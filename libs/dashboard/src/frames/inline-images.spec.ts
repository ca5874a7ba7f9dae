import { type InlineImage, referredIds, withInlineImages } from './inline-images.js';

const shownIn = (html: string, images: ReadonlyMap<string, InlineImage>) =>
  [...withInlineImages(html, images)].join('');

const PNG: InlineImage = { contentType: 'image/png', content: Buffer.from('png') };
const DATA = 'data:image/png;base64,cG5n';

describe('inline images', () => {
  it('are found by their ids, each once', async () => {
    const html = `<img src="cid:a@b"><img src='CID:a@b'><div style="background:url(cid:x%20y)">acid:no`;
    expect([...(await referredIds(html))]).toEqual(['a@b', 'x y']);
  });

  it('replace their references', () => {
    const html = '<img src="cid:a@b"><p style="background:url(cid:a@b)">';
    expect(shownIn(html, new Map([['a@b', PNG]]))).toBe(`<img src="${DATA}"><p style="background:url(${DATA})">`);
  });

  it.each(['text/html', 'image/png;base64,x" onerror="', 'application/pdf', ''])('are no %j', (contentType) => {
    const html = '<img src="cid:a">';
    expect(shownIn(html, new Map([['a', { ...PNG, contentType }]]))).toBe(html);
  });

  it('stop at the limit', () => {
    const large = { contentType: 'image/png', content: Buffer.alloc(7_000_000) };
    const shown = shownIn('<img src="cid:a">'.repeat(10), new Map([['a', large]]));
    expect(shown.match(/data:/g)).toHaveLength(2);
    expect(shown.match(/cid:/g)).toHaveLength(8);
  });

  it('are found at any position in long html, without a loss of text', async () => {
    for (const pad of ['x', '📬', ' ']) {
      for (let shift = 0; shift < 12; shift++) {
        const long = pad.repeat((131_072 - 20 + shift) / pad.length);
        const html = `${long} cid:a@b" ${long}📬 cid:${'y'.repeat(998)} acid:no ${long}(CID:a@b)`;
        expect([...(await referredIds(html))]).toEqual(['a@b', 'y'.repeat(998)]);
        expect(shownIn(html, new Map([['a@b', PNG]]))).toBe(html.replaceAll(/\bcid:a@b/gi, DATA));
      }
    }
  });

  it('are the same in pieces as at once', () => {
    const large = { contentType: 'image/png', content: Buffer.alloc(1_000_001, 7) };
    const shown = shownIn('<img src="cid:a">', new Map([['a', large]]));
    expect(shown).toBe(`<img src="data:image/png;base64,${large.content.toString('base64')}">`);
  });

  it('keep references to missing images', () => {
    expect(shownIn('<img src="cid:%zz"><img src="cid:b">', new Map([['a', PNG]]))).toBe(
      '<img src="cid:%zz"><img src="cid:b">',
    );
  });
});
