import { CHECKED, checkMessage, GMAIL_LIMIT, problemsIn } from './message-checks';

const problemOf = (href: string, text = 'Read more') =>
  checkMessage(`<a href="${href}">${text}</a>`, 'x').links[0]?.problem;

describe('the checks of a message', () => {
  it('find nothing in a good one', () => {
    const checks = checkMessage(
      '<p><img src="a" alt=""><a href="https://a.test/x?a=1&amp;b=2"> Read <b>more</b></a></p>',
      'Read more',
    );
    expect(checks).toMatchObject({ isClipped: false, textPart: 'own', images: 1, imagesWithoutAlt: 0, badLinks: 0 });
    expect(checks.links).toEqual([{ text: 'Read more', target: 'https://a.test/x?a=1&b=2', problem: undefined }]);
    expect(problemsIn(checks)).toBe(0);
  });

  it('count bytes, not characters, against the limit of Gmail', () => {
    expect(checkMessage('é'.repeat(GMAIL_LIMIT / 2), null)).toMatchObject({ size: GMAIL_LIMIT, isClipped: false });
    expect(checkMessage(`${'é'.repeat(GMAIL_LIMIT / 2)}a`, null).isClipped).toBe(true);
  });

  it('know where the text part comes from', () => {
    expect(checkMessage('<p>a', 'a').textPart).toBe('own');
    expect(checkMessage('<p>a', null).textPart).toBe('derived');
    expect(checkMessage('<p>a', '').textPart).toBe('missing');
  });

  it('find images without an alternative text, not those in comments', () => {
    const html = '<img src=a><IMG SRC=b alt><!-- <img> --><img alt="c"><script>"<img>"</script>';
    expect(checkMessage(html, 'x')).toMatchObject({ images: 3, imagesWithoutAlt: 1 });
  });

  it.each([
    ['<img src="https://a.test/a.png"><td background=//a.test/b.png><img src="cid:a"><img src="data:image/gif,">', 2],
    ['<svg><image xlink:href="http://a.test/a.png"/></svg><a href="http://a.test/a.png">a</a>', 1],
    ['<p>no image</p><iframe src="https://a.test/"></iframe>', 0],
    ['<p style="background: url(https://a.test/a.png)">', undefined],
  ])('count remote images of %j', (html, count) => {
    expect(checkMessage(html, null).remoteImages).toBe(count);
  });

  it.each([
    ['', 'empty'],
    [' ', 'empty'],
    ['#', 'empty'],
    ['#top', undefined],
    ['http://a.test/', 'insecure'],
    ['/orders', 'relative'],
    ['a.test/orders', 'relative'],
    ['//a.test/orders', 'relative'],
    ['https://', 'relative'],
    ['javascript:alert(1)', 'unsupported'],
    ['java&#115;cript:alert(1)', 'unsupported'],
    ['data:text/html,x', 'unsupported'],
    ['mailto:a@b.test', undefined],
    ['tel:+4930', undefined],
    ['HTTPS://a.test', undefined],
  ])('say of the target %j: %s', (href, problem) => {
    expect(problemOf(href)).toBe(problem);
  });

  it.each([
    ['https://bank.example/login', 'https://evil.test/', 'other_address'],
    ['bank.example', 'https://evil.test/bank.example', 'other_address'],
    ['www.bank.example', 'https://bank.example/x', undefined],
    ['bank.example/a', 'https://BANK.example/b', undefined],
    ['bücher.example', 'https://xn--bcher-kva.example/', undefined],
    ['Order 11.82', 'https://a.test/', undefined],
    ['bank.example', 'http://evil.test/', 'other_address'],
  ])('compare the shown address %j with the target %j', (text, href, problem) => {
    expect(problemOf(href, text)).toBe(problem);
  });

  it('use the text of an image in a link, and of one that is never closed', () => {
    expect(checkMessage('<a href="https://a.test"><img alt="Logo"></a><a href="#">rest', 'x').links).toEqual([
      { text: 'Logo', target: 'https://a.test', problem: undefined },
      { text: 'rest', target: '#', problem: 'empty' },
    ]);
  });

  it('look at the start of very long html, and say so', () => {
    const html = `${'<p>a</p>'.repeat(CHECKED / 8)}<img>`;
    expect(checkMessage(html, null)).toMatchObject({ images: 0, isCut: true, isClipped: true });
  });

  it('are empty for an email of text alone', () => {
    expect(checkMessage(null, 'a')).toMatchObject({ size: 0, textPart: 'own', images: 0, links: [], isCut: false });
  });
});
