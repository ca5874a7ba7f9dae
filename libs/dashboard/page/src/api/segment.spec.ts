import { segment } from './segment';

const pathOf = (text: string) => new URL(`http://a.test/api/emails/${segment(text)}/events`).pathname;

describe('segment', () => {
  it.each(['..', '.', '%2e%2e', 'x/../../session', '\u0000', ' ', '?a', '#a', '\\..\\x'])(
    '%j stays in its place',
    (text) => {
      expect(pathOf(text)).toMatch(/^\/api\/emails\/[^/]+\/events$/);
    },
  );

  it('leaves an id as it is', () => {
    expect(segment('0192f0c1-0000-7000-8000-000000000000')).toBe('0192f0c1-0000-7000-8000-000000000000');
  });
});
