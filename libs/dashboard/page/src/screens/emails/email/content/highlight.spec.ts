import { piecesOf } from './highlight';

describe('piecesOf', () => {
  it('names every piece by its kind', () => {
    expect(piecesOf('<p class="a">Hi</p><!-- x -->')).toEqual([
      { kind: 'tag', text: '<p ' },
      { kind: 'attribute', text: 'class' },
      { kind: 'value', text: '="a"' },
      { kind: 'tag', text: '>' },
      { kind: 'text', text: 'Hi' },
      { kind: 'tag', text: '</p>' },
      { kind: 'comment', text: '<!-- x -->' },
    ]);
  });

  it.each([
    '',
    'only text',
    '<script>alert("<b>")</script>',
    '<a b=c d>',
    '<a b="',
    '<<<a/b/=">\u202e\ud800',
    '<style>a{}</style',
    '<!-- never closed',
  ])('changes nothing of %j', (html) => {
    expect(
      piecesOf(html)
        .map(({ text }) => text)
        .join(''),
    ).toBe(html);
  });
});
