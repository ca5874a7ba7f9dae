import { describeError } from './describe-error.js';

const SECRET = 'bob@example.com';

describe('describeError', () => {
  it('keeps our own messages', () => {
    const { type, message, stack } = describeError(new RangeError('Out of range.'));
    expect({ type, message }).toEqual({ type: 'RangeError', message: 'Out of range.' });
    expect(stack?.[0]).toMatch(/^at .*describe-error\.spec/);
  });

  it.each([
    ['PostgreSQL', Object.assign(new Error(`invalid input syntax: "${SECRET}"`), { severity: 'ERROR', code: '22P02' })],
    ['TypeORM', Object.assign(new Error(SECRET), { driverError: { code: '23505' }, parameters: [SECRET] })],
    ['an SMTP server', Object.assign(new Error(`550 no ${SECRET}`), { responseCode: 550, code: 'EENVELOPE' })],
    ['the JSON parser', new SyntaxError(`Unexpected token, "${SECRET}" is not valid JSON`)],
    ['a cause', new Error('Wrapped.', { cause: Object.assign(new Error(SECRET), { response: SECRET }) })],
    ['another property', Object.assign(new Error('Failed.'), { recipient: SECRET })],
    ['a thrown string', SECRET],
  ])('leaves out quotes of %s', (_source, error) => {
    expect(JSON.stringify(describeError(error))).not.toContain(SECRET);
  });

  it('keeps codes', () => {
    expect(describeError(Object.assign(new Error(SECRET), { severity: 'ERROR', code: '22P02' })).code).toBe('22P02');
    expect(describeError(Object.assign(new Error(SECRET), { driverError: { code: '23505' } })).code).toBe('23505');
  });
});
