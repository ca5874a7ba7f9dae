import { isUuid } from './is-uuid.js';

describe('isUuid', () => {
  it.each([
    '01234567-89ab-cdef-0123-456789abcdef',
    'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
    '00000000-0000-0000-0000-000000000000',
    '0198f0c1-0000-7000-8000-000000000000',
  ])('is true of %s', (text) => {
    expect(isUuid(text)).toBe(true);
  });

  it.each([
    '',
    'abc',
    '0123456789abcdef0123456789abcdef',
    '{01234567-89ab-cdef-0123-456789abcdef}',
    '01234567-89ab-cdef-0123-456789abcdeg',
    '01234567-89ab-cdef-0123-456789abcdef\n',
    7,
    null,
    ['01234567-89ab-cdef-0123-456789abcdef'],
  ])('is false of %j', (value) => {
    expect(isUuid(value)).toBe(false);
  });
});
