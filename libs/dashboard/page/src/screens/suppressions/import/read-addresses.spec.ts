import { MAX_LINES, readAddresses } from './read-addresses';

const found = (text: string) => readAddresses(text)?.found.map(({ line, email, origin }) => [line, email, origin]);

describe('the addresses of a file', () => {
  it.each([
    [
      'a list without a header',
      'a@b.test\nc@d.test',
      [
        [1, 'a@b.test', undefined],
        [2, 'c@d.test', undefined],
      ],
    ],
    ['a known column', 'name,Email Address\n"x@y",a@b.test', [[2, 'a@b.test', undefined]]],
    ['an unknown column', 'Name;Correo\nJane;a@b.test', [[2, 'a@b.test', undefined]]],
    ['blanks', 'email\n  a@b.test ', [[2, 'a@b.test', undefined]]],
    ['names', '"Doe, Jane <a@b.test>"', [[1, 'a@b.test', undefined]]],
    [
      'origins',
      'email,origin\na@b.test,complaint\nc@d.test,Spam',
      [
        [2, 'a@b.test', 'complaint'],
        [3, 'c@d.test', undefined],
      ],
    ],
    [
      'a cell that is no formula',
      "email\n'=a@b.test\n'b@b.test",
      [
        [2, '=a@b.test', undefined],
        [3, "'b@b.test", undefined],
      ],
    ],
  ])('are those of %s', (_, text, addresses) => {
    expect(found(text)).toEqual(addresses);
  });

  it('leave out lines without one, with their numbers', () => {
    const file = readAddresses('email,name\r\na@b.test,A\r\n,"B\r\nb"\r\nnobody,C\r\n');
    expect(file).toMatchObject({ hasHeader: true, found: [{ line: 2 }] });
    expect(file?.refused.map(({ line, text }) => [line, text])).toEqual([
      [3, ', B\r\nb'],
      [5, 'nobody'],
    ]);
  });

  it('are those of an export, without entries that would expire', () => {
    const head = 'email,origin,reason,source_id,created_at,expires_at\r\n';
    const line = 'a@b.test,bounce,"550 5.1.1 no, c@d.test",,2026-11-21 05:26:01.000000+00,';
    const file = readAddresses(`${head}${line}\r\n${line}2026-12-05T05:26:01.123Z\r\n`);
    expect(file?.found).toEqual([{ line: 2, email: 'a@b.test', origin: 'bounce' }]);
    expect(file?.refused).toEqual([{ line: 3, text: 'a@b.test', why: expect.stringContaining('a time') }]);
  });

  it('are up to the limit of lines, after a header', () => {
    const lines = 'a@b.test\n'.repeat(MAX_LINES);
    expect(readAddresses(`email\n${lines}`)?.found).toHaveLength(MAX_LINES);
    expect(readAddresses(`${lines}a@b.test`)).toBeUndefined();
  });

  it('are none in an empty file', () => {
    expect(readAddresses('\ufeff\r\n')).toEqual({ hasHeader: false, found: [], refused: [] });
  });
});
