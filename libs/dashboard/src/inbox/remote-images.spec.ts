import { countRemoteImages } from './remote-images.js';

describe('countRemoteImages', () => {
  it.each([
    '<img src="https://a.test/x.png">',
    "<IMG alt='x' src='http://a.test/x'>",
    '<img src=//a.test/x>',
    '<img src = " https://a.test/x">',
    '<td background="https://a.test/x">',
    '<video poster="https://a.test/x">',
  ])('sees %s', (html) => {
    expect(countRemoteImages(html)).toBe(1);
  });

  it.each(['', '<img src="cid:x">', '<img src="data:image/png;base64,x">', '<a href="https://a.test">'])(
    'counts none in %j',
    (html) => {
      expect(countRemoteImages(html)).toBe(0);
    },
  );

  it.each(['<img ', '<img src', '<img src=', '<img src= ', '<img src=" ', '<', ' '])(
    'counts ten million characters of %j quickly',
    (piece) => {
      const html = `<img ${piece}${piece.slice(-1).repeat(5_000_000)}${piece.repeat(5_000_000 / piece.length)}`;
      const began = process.cpuUsage();
      countRemoteImages(html);
      // Five seconds of this process's time, regardless of other load.
      expect(process.cpuUsage(began).user).toBeLessThan(5_000_000);
    },
  );
});
