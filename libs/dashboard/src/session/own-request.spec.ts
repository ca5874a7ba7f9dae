import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { requireOwnOrigin, requireOwnScript } from './own-request.js';

const PUBLIC = 'https://mail.example.com:8443/path';
const asked = (headers: IncomingHttpHeaders) =>
  ({ headers: { host: 'here.test:3000', ...headers } }) as IncomingMessage;

describe('requireOwnOrigin', () => {
  it.each<IncomingHttpHeaders>([
    {},
    { origin: 'http://here.test:3000' },
    { origin: 'https://here.test:3000' },
    { origin: 'https://mail.example.com:8443' },
    { 'sec-fetch-site': 'same-origin' },
  ])('lets pass %j', (headers) => {
    expect(() => requireOwnOrigin(asked(headers), PUBLIC)).not.toThrow();
  });

  it.each<IncomingHttpHeaders>([
    { origin: 'null' },
    { origin: '' },
    { origin: 'http://here.test' },
    { origin: 'http://here.test:3001' },
    { origin: 'http://here.test:3000.evil.test' },
    { origin: 'https://mail.example.com' },
    { origin: 'http://mail.example.com:8443' },
    { 'sec-fetch-site': '' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-origin, cross-site' },
    { 'sec-fetch-site': 'same-origin', origin: 'http://evil.test' },
    { origin: 'null', host: undefined },
    { origin: 'nonsense', host: undefined },
  ])('refuses %j', (headers) => {
    expect(() => requireOwnOrigin(asked(headers), PUBLIC)).toThrow('for the page itself');
  });

  it('accepts no other address when none is set', () => {
    expect(() => requireOwnOrigin(asked({ origin: 'https://mail.example.com:8443' }), undefined)).toThrow();
  });
});

describe('requireOwnScript', () => {
  it('returns the page token of a request, and refuses a request without one', () => {
    expect(requireOwnScript(asked({ 'x-emails-page': 'abc' }), undefined)).toBe('abc');
    expect(requireOwnScript(asked({ 'x-emails-page': '' }), undefined)).toBe('');
    expect(() => requireOwnScript(asked({}), undefined)).toThrow('for the page itself');
    expect(() => requireOwnScript(asked({ 'x-emails-page': 'abc', origin: 'null' }), undefined)).toThrow();
  });
});
