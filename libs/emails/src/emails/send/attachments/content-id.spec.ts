import { idWithin, isContentId } from './content-id.js';

describe('isContentId', () => {
  it.each(['logo', 'logo.png@example.com', 'a_b+c-1', 'x'.repeat(128)])('takes %s', (value) => {
    expect(isContentId(value)).toBe(true);
  });

  it.each(['', '<logo>', 'a b', 'a"b', 'a\r\nb', 'ü', 'x'.repeat(129), 5, null])('refuses %j', (value) => {
    expect(isContentId(value)).toBe(false);
  });
});

describe('idWithin', () => {
  it.each(['logo', 'cid:logo', 'CID:logo', '<logo>', 'cid:<logo>', '<cid:logo>'])('%s is the id', (value) => {
    expect(idWithin(value)).toBe('logo');
  });

  it.each(['<logo', 'logo>', '<<logo>>', 'cid:cid:logo', 'cid:', '<>', ' <logo>', 'cid: logo', 'cid:<logo', 'cid:l\n'])(
    'makes no id of %j',
    (value) => {
      expect(isContentId(idWithin(value))).toBe(false);
    },
  );

  it.each([5, null, ['cid:logo'], {}])('leaves %j as it is', (value) => {
    expect(idWithin(value)).toBe(value);
  });
});
