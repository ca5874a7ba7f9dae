import { DomainNameService } from '../dns/domain-name-service.js';
import { LookupError } from '../dns/lookup.error.js';
import { DMARC, wantedRecords } from '../records/wanted-records.js';
import { lookUpDomain } from './look-up-domain.js';

class Names extends DomainNameService {
  asked = 0;
  constructor(private readonly answer: () => Promise<never[]>) {
    super();
  }
  private ask() {
    this.asked++;
    return this.answer();
  }
  txt = () => this.ask();
  mx = () => this.ask();
  cname = () => this.ask();
}

const RECORDS = [
  ...wantedRecords({ returnPath: 'send', challenge: '' }, [], { bounceHost: 'mx.test', spfMechanisms: ['a'] }),
  DMARC,
];
const DOMAIN = { name: 'a.b.c.d.e.f.g.h.i.j.example.com', registered: 'example.com', keys: new Map<string, string>() };

describe('lookUpDomain', () => {
  it('ends with its signal, although no server answers', async () => {
    const signal = AbortSignal.timeout(20);
    const found = await lookUpDomain(new Names(() => new Promise(() => {})), RECORDS, DOMAIN, signal);
    expect([...found.values()]).toEqual(['ETIMEOUT', 'ETIMEOUT', 'ETIMEOUT']);
  });

  it('asks a limited number of questions for a domain without records', async () => {
    const names = new Names(async () => []);
    const found = await lookUpDomain(names, RECORDS, DOMAIN, AbortSignal.timeout(5_000));
    expect([...found.values()]).toMatchObject(Array(3).fill({ isRight: false }));
    expect(names.asked).toBeLessThanOrEqual(20);
  });

  it('asks no more after a lookup without an answer', async () => {
    const names = new Names(() => Promise.reject(new LookupError('ESERVFAIL')));
    const found = await lookUpDomain(names, RECORDS, DOMAIN, AbortSignal.timeout(5_000));
    expect([...found.values()]).toEqual(['ESERVFAIL', 'ESERVFAIL', 'ESERVFAIL']);
    expect(names.asked).toBe(3);
  });

  it('passes on what is no failure of a lookup', async () => {
    const names = new Names(() => Promise.reject(new TypeError('a bug')));
    await expect(lookUpDomain(names, RECORDS, DOMAIN, AbortSignal.timeout(5_000))).rejects.toThrow('a bug');
  });
});
