import { headersOf } from './source-headers';

describe('headersOf', () => {
  it('unfolds fields and ends with the header', () => {
    const source = 'From: a@b.test\r\nSubject: one\r\n two\r\nX: y\r\nX: z\r\n\r\nBody: no\r\n';
    expect(headersOf(source)).toEqual([
      { name: 'From', value: 'a@b.test' },
      { name: 'Subject', value: 'one two' },
      { name: 'X', value: 'y' },
      { name: 'X', value: 'z' },
    ]);
  });

  it('is empty for an empty source', () => {
    expect(headersOf('')).toEqual([]);
  });
});
