import { UrlPolicy } from './url-policy.js';

const policy = new UrlPolicy({
  ports: [80, 443],
  allowedHosts: ['Mirror.internal', '127.0.0.1:8080', '[::1]:8080', 'fd00::1'],
});

describe('UrlPolicy', () => {
  it.each([
    'https://example.com/a.pdf',
    'http://example.com:443/',
    'https://1.1.1.1/',
    'https://[2606:4700::1111]/',
    'http://mirror.internal/',
    'http://MIRROR.internal:9999/',
    'http://127.0.0.1:8080/',
    'http://2130706433:8080/',
    'http://[::1]:8080/',
    'http://[fd00::1]:1/',
  ])('admits %s', (url) => {
    expect(policy.admit(url).href).toBe(new URL(url).href);
  });

  it.each([
    ['another scheme', 'ftp://example.com/'],
    ['another scheme', 'file:///etc/passwd'],
    ['another scheme', 'data:text/plain,x'],
    ['another scheme', 'gopher://example.com/'],
    ['another scheme', 'blob:https://example.com/1'],
    ['no scheme', 'example.com/a.pdf'],
    ['no scheme', '//example.com/a.pdf'],
    ['no URL', ''],
    ['no host', 'http://'],
    ['a user', 'https://user@example.com/'],
    ['a password', 'https://:secret@example.com/'],
    ['a port', 'https://example.com:25/'],
    ['a port', 'https://example.com:0/'],
    ['an allowed host with another port', 'http://127.0.0.1:8081/'],
    ['an allowed host with credentials', 'http://user@mirror.internal/'],
    ['a name that only ends like an allowed one', 'http://x.127.0.0.1:8080/'],
    ['a private address', 'http://10.0.0.1/'],
    ['an IPv6 loopback address', 'http://[::1]/'],
    ['a very long URL', `https://example.com/${'a'.repeat(5_000)}`],
  ])('refuses %s: %s', (_what, url) => {
    expect(() => policy.admit(url)).toThrow();
  });

  it('resolves a redirect relative to its origin', () => {
    const from = new URL('https://example.com/a/b');
    expect(policy.admit('../c', from).href).toBe('https://example.com/c');
    expect(policy.admit('//example.org/', from).href).toBe('https://example.org/');
    expect(policy.admit('https://example.org/', new URL('http://example.com/')).href).toBe('https://example.org/');
    expect(() => policy.admit('//169.254.169.254/', from)).toThrow('not public');
    expect(() => policy.admit('http://example.com/', from)).toThrow('encryption');
  });

  it('recognises exempt targets', () => {
    expect(policy.isExempt(new URL('http://mirror.internal/'))).toBe(true);
    expect(policy.isExempt(new URL('http://mirror.internal.example.com/'))).toBe(false);
    expect(policy.isExempt(new URL('http://example.com/'))).toBe(false);
  });
});
