import { type IncomingHttpHeaders, type IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { sessionCookies, setSessionCookie } from './session-cookie.js';

const asked = (headers: IncomingHttpHeaders) => ({ headers, socket: new Socket() }) as unknown as IncomingMessage;

describe('sessionCookies', () => {
  it.each<[string | undefined, object[]]>([
    [undefined, []],
    ['', []],
    ['a=b; emails=c; xemails_a=d', []],
    [
      'emails_a=1; other=2;emails_b=3',
      [
        { signer: 'a', value: '1' },
        { signer: 'b', value: '3' },
      ],
    ],
    ['emails_a', [{ signer: 'a', value: '' }]],
    ['emails_=x', [{ signer: '', value: 'x' }]],
    [
      'emails_a=1; emails_a=2',
      [
        { signer: 'a', value: '1' },
        { signer: 'a', value: '2' },
      ],
    ],
    ['emails_operator_a=1', [{ signer: 'operator_a', value: '1' }]],
  ])('are found in %j', (cookie, expected) => {
    expect(sessionCookies(asked({ cookie }))).toEqual(expected);
  });
});

describe('setSessionCookie', () => {
  function given(headers: IncomingHttpHeaders, publicUrl?: string): unknown {
    const request = asked(headers);
    const response = new ServerResponse(request);
    setSessionCookie(request, response, { signer: 'a', value: 'b' }, { mount: '/mail', publicUrl }, 60);
    return response.getHeader('set-cookie');
  }
  const PLAIN = 'emails_a=b; Path=/mail; Max-Age=60; HttpOnly; SameSite=Strict';

  it.each<[IncomingHttpHeaders, string | undefined]>([
    [{}, undefined],
    [{}, 'http://a.test'],
    [{ 'x-forwarded-proto': 'http' }, undefined],
    [{ 'x-forwarded-proto': 'http, https' }, undefined],
    [{ forwarded: 'for=https' }, undefined],
  ])('is without `Secure` on a plain connection: %j, %s', (headers, publicUrl) => {
    expect(given(headers, publicUrl)).toBe(PLAIN);
  });

  it.each<[IncomingHttpHeaders, string | undefined]>([
    [{}, 'https://a.test'],
    [{ 'x-forwarded-proto': 'https' }, undefined],
    [{ 'x-forwarded-proto': 'HTTPS,http' }, undefined],
    [{ forwarded: 'for=192.0.2.1;proto=https' }, undefined],
    [{ forwarded: 'proto="https"' }, undefined],
  ])('is `Secure` behind TLS: %j, %s', (headers, publicUrl) => {
    expect(given(headers, publicUrl)).toBe(`${PLAIN}; Secure`);
  });
});
