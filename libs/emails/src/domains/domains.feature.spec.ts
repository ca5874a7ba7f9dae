import { domains } from './domains.feature.js';
import { checkTogether } from './domains.rules.js';

describe('domains', () => {
  it.each([
    [{ bounceHost: 'mx.example.com', spfMechanisms: ['a', 'mx:b.test/24', 'ip4:192.0.2.0/24', 'ip6:2001:db8::/32'] }],
    [{ dnsServers: ['192.0.2.53', '2001:db8::53', '127.0.0.1:5353', '[::1]:53'] }],
    [{ dkim: 'relay' as const }],
  ])('accepts %j', (options) => {
    expect(domains(options).name).toBe('domains');
    checkTogether(options);
  });

  it.each([
    [{ bounceHost: 'MX.example.com' }, '`bounceHost` must be a host name'],
    [{ bounceHost: 'mx.example.com.' }, '`bounceHost` must be a host name'],
    [{ bounceHost: '192.0.2.1' }, '`bounceHost` must be a host name'],
    [{ spfMechanisms: [] }, '`spfMechanisms` must have one entry'],
    [{ spfMechanisms: ['all'] }, '`spfMechanisms[0]` must be an SPF mechanism'],
    [{ spfMechanisms: ['a ~all'] }, '`spfMechanisms[0]` must be an SPF mechanism'],
    [{ dnsServers: ['dns.test'] }, '`dnsServers[0]` must be an IP address'],
    [{ dnsServers: ['192.0.2.53:0'] }, '`dnsServers[0]` must be an IP address'],
    [{ dnsServers: ['::1:53x'] }, '`dnsServers[0]` must be an IP address'],
    [{ dkim: 'none' as never }, '`dkim` must be'],
    [{ bounceHosts: 'mx.test' } as never, 'did you mean `bounceHost`?'],
  ])('refuses %j', (options, message) => {
    expect(() => domains(options)).toThrow(message);
  });

  it.each([
    [{ bounceHost: 'mx.test' }, '`spfMechanisms` is missing'],
    [{ spfMechanisms: ['a'] }, '`bounceHost` is missing'],
    [{ bounceHost: 'mx.test', spfMechanisms: ['a'], dkim: 'relay' as const }, '`bounceHost` must be left out'],
  ])('refuses %j together', (options, message) => {
    expect(() => checkTogether(options)).toThrow(message);
  });
});
