import { type InlineImage, referredIds, withInlineImages } from './inline-images.js';

const PNG: InlineImage = { contentType: 'image/png', content: Buffer.from('png') };
const DATA = 'data:image/png;base64,cG5n';

describe('inline images', () => {
  it('are found by their ids, each once', () => {
    const html = `<img src="cid:a@b"><img src='CID:a@b'><div style="background:url(cid:x%20y)">acid:no`;
    expect(referredIds(html)).toEqual(['a@b', 'x y']);
  });

  it('take the place of their references', () => {
    const html = '<img src="cid:a@b"><p style="background:url(cid:a@b)">';
    expect(withInlineImages(html, new Map([['a@b', PNG]]))).toBe(
      `<img src="${DATA}"><p style="background:url(${DATA})">`,
    );
  });

  it.each(['text/html', 'image/png;base64,x" onerror="', 'application/pdf', ''])('are no %j', (contentType) => {
    const html = '<img src="cid:a">';
    expect(withInlineImages(html, new Map([['a', { ...PNG, contentType }]]))).toBe(html);
  });

  it('stop where there is no room any more', () => {
    const large = { contentType: 'image/png', content: Buffer.alloc(7_000_000) };
    const shown = withInlineImages('<img src="cid:a">'.repeat(10), new Map([['a', large]]));
    expect(shown.match(/data:/g)).toHaveLength(2);
    expect(shown.match(/cid:/g)).toHaveLength(8);
  });

  it('leave alone what is not there', () => {
    expect(withInlineImages('<img src="cid:%zz"><img src="cid:b">', new Map([['a', PNG]]))).toBe(
      '<img src="cid:%zz"><img src="cid:b">',
    );
  });
});
