import { unsupportedIn } from './html-support.js';

describe('unsupportedIn', () => {
  it.each([
    ['<FORM action="x">', 'form'],
    ['<object data="x">', 'object'],
    ['<link rel="stylesheet" href="x">', 'stylesheet'],
    ['<svg viewBox="0 0 1 1">', 'svg'],
    ['<video src="x">', 'video'],
    ['<p style="display: flex">', 'flex'],
    ['<style>p { display:inline-grid }</style>', 'grid'],
    ['<p style="position:absolute">', 'position'],
    ['<p style="background: #fff url(x.png)">', 'background'],
    ['<p style="color: var(--accent)">', 'variables'],
    ['<style>@font-face { }</style>', 'fonts'],
    ['<p style="border-radius: 4px">', 'radius'],
  ])('finds in %s: %s', (html, feature) => {
    expect(unsupportedIn(html + html)).toEqual([{ feature, count: 2 }]);
  });

  it.each([
    '',
    '<table><tr><td style="color: red">position</td></tr></table>',
    '<link rel="icon">',
    '<videos>',
    '<script>',
  ])('finds nothing in %j', (html) => {
    expect(unsupportedIn(html)).toEqual([]);
  });

  it.each(['<link ', 'display ', 'background:', 'position:', 'background:url', 'var( ', '<'])(
    'reads ten million characters of %j quickly',
    (piece) => {
      const began = process.cpuUsage();
      unsupportedIn(piece.repeat(10_000_000 / piece.length));
      // Five seconds of this process's time, regardless of other load.
      expect(process.cpuUsage(began).user).toBeLessThan(5_000_000);
    },
  );
});
