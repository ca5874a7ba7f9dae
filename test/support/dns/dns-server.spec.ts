import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { connect } from 'node:net';
import { encode } from 'dns-packet';
import type { DnsFault } from './dns-records.js';
import { DnsServer } from './dns-server.js';

/** Bytes of the longest text that fits into one answer by TCP, next to a short name. */
const LONGEST = 65_000;

describe('the DNS server', () => {
  let dns: DnsServer;
  let resolver: Resolver;

  beforeAll(async () => {
    dns = await DnsServer.start();
  });

  beforeEach(() => {
    dns.zone = {};
    dns.queries.length = 0;
    resolver = resolverWith(10_000);
  });

  function resolverWith(timeout: number): Resolver {
    const made = new Resolver({ timeout, tries: 1 });
    made.setServers([dns.address]);
    return made;
  }

  afterAll(() => dns.close());

  it('answers each type that it knows', async () => {
    dns.zone = {
      'a.test': {
        A: ['192.0.2.1'],
        AAAA: ['2001:db8::1'],
        CAA: [{ tag: 'issue', value: 'ca.test' }],
        MX: [
          { priority: 20, exchange: 'two.test' },
          { priority: 10, exchange: 'one.test' },
        ],
        NS: ['ns.test'],
        TXT: ['v=spf1 -all', 'other'],
      },
      '1.2.0.192.in-addr.arpa': { PTR: ['a.test'] },
    };
    await expect(resolver.resolve4('a.test')).resolves.toEqual(['192.0.2.1']);
    await expect(resolver.resolve6('a.test')).resolves.toEqual(['2001:db8::1']);
    await expect(resolver.resolveCaa('a.test')).resolves.toMatchObject([{ critical: 0, issue: 'ca.test' }]);
    await expect(resolver.resolveMx('a.test')).resolves.toEqual(
      expect.arrayContaining([
        expect.objectContaining({ priority: 10, exchange: 'one.test' }),
        expect.objectContaining({ priority: 20, exchange: 'two.test' }),
      ]),
    );
    await expect(resolver.resolveNs('a.test')).resolves.toEqual(['ns.test']);
    await expect(resolver.resolveTxt('A.Test')).resolves.toEqual([['v=spf1 -all'], ['other']]);
    await expect(resolver.reverse('192.0.2.1')).resolves.toEqual(['a.test']);
    expect(dns.queries).toContainEqual({ name: 'a.test', type: 'CAA', by: 'udp' });
  });

  it('shows the root as the server of a null MX', async () => {
    dns.zone = { 'a.test': { MX: [{ priority: 0, exchange: '' }] } };
    // Newer versions of Node add a type.
    await expect(resolver.resolveMx('a.test')).resolves.toMatchObject([{ priority: 0, exchange: '' }]);
  });

  it('distinguishes a name that does not exist from one without such records', async () => {
    dns.zone = { 'below.a.test': { TXT: ['x'] }, 'b.test': { A: ['192.0.2.1'] } };
    await expect(resolver.resolveTxt('none.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(resolver.resolveTxt('b.test')).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(resolver.resolveTxt('a.test')).rejects.toMatchObject({ code: 'ENODATA' });
  });

  it('sees a change of a record at once', async () => {
    dns.zone['a.test'] = { TXT: ['before'] };
    await expect(resolver.resolveTxt('a.test')).resolves.toEqual([['before']]);
    dns.zone['a.test'] = { TXT: ['after'] };
    await expect(resolver.resolveTxt('a.test')).resolves.toEqual([['after']]);
    delete dns.zone['a.test'];
    await expect(resolver.resolveTxt('a.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('cuts a text into strings of 255 bytes, and keeps those of a test', async () => {
    dns.zone = { 'a.test': { TXT: ['k'.repeat(256)] }, 'b.test': { TXT: [['v=DKIM1; ', 'p=abc']] } };
    await expect(resolver.resolveTxt('a.test')).resolves.toEqual([['k'.repeat(255), 'k']]);
    await expect(resolver.resolveTxt('b.test')).resolves.toEqual([['v=DKIM1; ', 'p=abc']]);
  });

  it('follows a CNAME to the records, and names it', async () => {
    dns.zone = { 'a.test': { CNAME: 'b.test' }, 'b.test': { CNAME: 'c.test' }, 'c.test': { TXT: ['there'] } };
    await expect(resolver.resolveTxt('a.test')).resolves.toEqual([['there']]);
    await expect(resolver.resolveCname('a.test')).resolves.toEqual(['b.test']);
  });

  it('answers a circle of CNAMEs with the circle, which node:dns reads as no record', async () => {
    dns.zone = { 'a.test': { CNAME: 'b.test' }, 'b.test': { CNAME: 'a.test' } };
    await expect(resolver.resolveTxt('a.test')).resolves.toEqual([]);
    await expect(resolver.resolveCname('a.test')).resolves.toEqual(['b.test']);
  });

  it('gives 64 kB by TCP, after a truncated answer by UDP', async () => {
    dns.zone = { 'a.test': { TXT: ['x'.repeat(LONGEST)] } };
    const [strings] = await resolver.resolveTxt('a.test');
    expect(strings?.join('')).toHaveLength(LONGEST);
    expect(dns.queries.map(({ by }) => by)).toEqual(['udp', 'tcp']);
  });

  it('fails where even TCP is too short', async () => {
    dns.zone = { 'a.test': { TXT: ['x'.repeat(70_000)] } };
    await expect(resolver.resolveTxt('a.test')).rejects.toMatchObject({ code: 'ESERVFAIL' });
  });

  it.each<[DnsFault, string]>([
    ['SERVFAIL', 'ESERVFAIL'],
    ['REFUSED', 'EREFUSED'],
    ['silence', 'ETIMEOUT'],
    ['truncated, then silence', 'ETIMEOUT'],
    ['wrong id', 'ETIMEOUT'],
    ['garbage', 'EBADRESP'],
  ])('misbehaves: %s is %s', async (fault, code) => {
    dns.zone = { 'a.test': { TXT: ['x'], fault } };
    // Only silence ends by the time.
    if (code === 'ETIMEOUT') resolver = resolverWith(200);
    await expect(resolver.resolveTxt('a.test')).rejects.toMatchObject({ code });
  });

  it('misbehaves for one type of a name only', async () => {
    dns.zone = { 'a.test': { TXT: ['x'], MX: [{ priority: 1, exchange: 'b.test' }], fault: { MX: 'SERVFAIL' } } };
    await expect(resolver.resolveTxt('a.test')).resolves.toEqual([['x']]);
    await expect(resolver.resolveMx('a.test')).rejects.toMatchObject({ code: 'ESERVFAIL' });
  });

  it('answers late where it should, and others meanwhile', async () => {
    dns.zone = { 'slow.test': { TXT: ['slow'], delay: 100 }, 'fast.test': { TXT: ['fast'] } };
    const order: string[] = [];
    const ask = async (name: string) => order.push((await resolver.resolveTxt(name))[0]!.join());
    await Promise.all([ask('slow.test'), ask('fast.test')]);
    expect(order).toEqual(['fast', 'slow']);
  });

  it('survives bytes that are no query', async () => {
    const socket = createSocket('udp4');
    for (const bytes of [Buffer.alloc(0), Buffer.from('x'), Buffer.alloc(600, 0xff), encode({ type: 'response' })]) {
      await new Promise((resolve) => socket.send(bytes, dns.port, '127.0.0.1', resolve));
    }
    socket.close();
    const stream = connect(dns.port, '127.0.0.1');
    stream.end(Buffer.from('\0\x05hello\0'));
    await once(stream, 'connect');
    stream.destroy();
    dns.zone = { 'a.test': { TXT: ['there'] } };
    await expect(resolver.resolveTxt('a.test')).resolves.toEqual([['there']]);
  });

  it('refuses connections once it is closed, with queries that wait', async () => {
    const other = await DnsServer.start({ 'a.test': { TXT: ['x'], delay: 60_000 } });
    resolver = new Resolver({ timeout: 5_000, tries: 1 });
    resolver.setServers([other.address]);
    const waiting = expect(resolver.resolveTxt('a.test')).rejects.toMatchObject({ code: expect.stringMatching(/^E/) });
    while (other.queries.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await other.close();
    await other.close();
    resolver.cancel();
    await waiting;
    await expect(resolver.resolveTxt('b.test')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
