import { AddressBlocks } from './address-blocks.js';
import { EndpointPolicy } from './endpoint-policy.js';

describe('AddressBlocks', () => {
  const blocks = new AddressBlocks(['10.0.0.0/8', '127.0.0.1/32', 'fd00::/8', '::ffff:192.168.0.0/112']);

  it.each(['10.255.0.1', '127.0.0.1', '::ffff:10.0.0.1', '::ffff:a00:1', 'fd12::1', '192.168.255.1'])(
    'include %s',
    (address) => {
      expect(blocks.include(address)).toBe(true);
    },
  );

  it.each([
    '11.0.0.1',
    '127.0.0.2',
    '::ffff:b00:1',
    'fe80::1',
    '64:ff9b::a00:1',
    '::10.0.0.1',
    '10.1',
    'localhost',
    '',
  ])('leave out %s', (address) => {
    expect(blocks.include(address)).toBe(false);
  });

  it.each([
    '10.0.0.0',
    '10.0.0.0/33',
    '10.0/8',
    'fd00::/129',
    '0x0a000000/8',
    'fe80::1%eth0/64',
    'localhost/8',
    '/8',
    '',
  ])('refuse %j by name', (block) => {
    expect(() => new AddressBlocks(['10.0.0.0/8', block])).toThrow(`\`${block}\``);
  });
});

describe('EndpointPolicy', () => {
  const everywhere = new EndpointPolicy([]);
  const own = new EndpointPolicy(['127.0.0.0/8', '10.0.0.0/8', 'fd00::/8']);

  it.each([
    'https://example.com/hook?a=b',
    'https://example.com:8443/',
    'https://example.com:80/',
    'https://1.1.1.1/',
    'https://[2606:4700::1111]:1024/',
    'https://bücher.example/',
  ])('admits %s', (url) => {
    expect(everywhere.admit(url).href).toBe(new URL(url).href);
    expect(own.admit(url).href).toBe(new URL(url).href);
  });

  it.each([
    'http://example.com/',
    'http://10.1.2.3:8080/',
    'https://[::ffff:10.0.0.1]/',
    'http://[fd00::1]/',
    'http://localhost:3000/',
    'http://receiver.localhost./',
  ])('admits %s only with private addresses', (url) => {
    expect(own.admit(url).href).toBe(new URL(url).href);
    expect(() => everywhere.admit(url)).toThrow('must');
  });

  it.each([
    ...[
      'ftp://example.com/',
      'file:///etc/passwd',
      'wss://example.com/',
      'data:text/plain,x',
      'example.com',
      '//a.b/',
      '',
    ],
    ...['https://user@example.com/', 'https://:p@example.com/', 'https://example.com/#', 'https://example.com/#a'],
    ...['https://example.com:25/', 'https://example.com:1023/', 'https://example.com:0/', 'https://example.com:65536/'],
    `https://example.com/${'a'.repeat(2_048)}`,
    ...['https://0.0.0.0/', 'https://192.168.0.1/', 'https://169.254.169.254/', 'https://100.64.0.1/'],
    ...[
      'https://3232235521/',
      'https://0xc0a80001/',
      'https://0300.0250.0.1/',
      'https://192.168.1/',
      'https://0xC0.168.1/',
    ],
    ...['https://192.168.0.1./', 'https://192。168。0。1/', 'https://①92.168.0.1/', 'https://%31%39%32.168.0.1/'],
    ...['https://[::1]/', 'https://[::]/', 'https://[::ffff:192.168.0.1]/', 'https://[::ffff:c0a8:1]/'],
    ...[
      'https://[::192.168.0.1]/',
      'https://[64:ff9b::c0a8:1]/',
      'https://[64:ff9b::10.0.0.1]/',
      'https://[2002:a00:1::]/',
    ],
    ...['https://[fe80::1%25eth0]/', 'https://[fe80::1]/', 'https://[ff02::1]/'],
  ])('refuses %s', (url) => {
    expect(() => everywhere.admit(url)).toThrow('must');
    expect(() => own.admit(url)).toThrow('must');
  });

  it.each([
    'https://localhost/',
    'https://LOCALHOST./',
    'https://a.localhost/',
    'https://2130706433/',
    'https://127.1/',
  ])('refuses %s without private addresses', (url) => {
    expect(() => everywhere.admit(url)).toThrow('must lead to a public address');
  });

  it('returns the addresses of a name only if all may be called', async () => {
    const of = (policy: EndpointPolicy, protocol: string, ...found: string[]) =>
      policy.addressesOf(protocol, 'example.com', async () => found);
    await expect(of(everywhere, 'https:', '1.1.1.1', '2606:4700::1')).resolves.toEqual(['1.1.1.1', '2606:4700::1']);
    await expect(of(own, 'https:', '1.1.1.1', '10.0.0.1')).resolves.toEqual(['1.1.1.1', '10.0.0.1']);
    await expect(of(own, 'http:', '10.0.0.1', 'fd00::1')).resolves.toEqual(['10.0.0.1', 'fd00::1']);
    for (const [policy, protocol, ...found] of [
      [everywhere, 'https:', '1.1.1.1', '10.0.0.1'],
      [everywhere, 'https:', '::ffff:10.0.0.1'],
      [own, 'http:', '1.1.1.1'],
      [own, 'https:', '192.168.0.1'],
    ] as const) {
      await expect(of(policy, protocol, ...found)).rejects.toMatchObject({ reason: 'address not allowed' });
    }
  });

  it('resolves `localhost` to the allowed addresses of this machine, without a lookup', async () => {
    const never = () => Promise.reject(new Error('asked'));
    await expect(own.addressesOf('http:', 'localhost', never)).resolves.toEqual(['127.0.0.1']);
  });
});
