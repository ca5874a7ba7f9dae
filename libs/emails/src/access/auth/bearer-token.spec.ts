import type { IncomingMessage } from 'node:http';
import { bearerToken } from './bearer-token.js';

/** A request as Node presents it: `headers` has only the first of repeated `authorization` headers. */
function requestWith(...values: string[]): IncomingMessage {
  const rawHeaders = ['Host', 'localhost', ...values.flatMap((value) => ['Authorization', value])];
  return { headers: { authorization: values[0] }, rawHeaders } as unknown as IncomingMessage;
}

const refusal = (name: string) => expect.objectContaining({ statusCode: 401, name });

describe('bearerToken', () => {
  it.each(['Bearer re_12345678', 'bearer re_12345678', 'BEARER   re_12345678'])('reads %p', (header) => {
    expect(bearerToken(requestWith(header))).toBe('re_12345678');
  });

  it.each([[], [''], ['Bearer'], ['Bearer '], ['Basic dXNlcjpwYXNz'], ['Bearerre_12345678'], ['re_12345678']])(
    'reports a missing token in %p',
    (...values: string[]) => {
      expect(() => bearerToken(requestWith(...values))).toThrow(refusal('missing_api_key'));
    },
  );

  it.each([
    'Bearer short',
    'Bearer re_12345678 more',
    'Bearer re_12345678,re_87654321',
    'Bearer "re_12345678"',
    'Bearer re_1234567\u00e9',
    `Bearer ${'x'.repeat(257)}`,
    `Bearer ${'x'.repeat(8_000)}`,
  ])('refuses %.40p', (header) => {
    expect(() => bearerToken(requestWith(header))).toThrow(refusal('invalid_api_key'));
  });

  it('refuses two headers, even when they agree', () => {
    const header = 'Bearer re_12345678';
    expect(() => bearerToken(requestWith(header, header))).toThrow(refusal('invalid_api_key'));
  });
});
