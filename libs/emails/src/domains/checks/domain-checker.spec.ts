import { setTimeout as pause } from 'node:timers/promises';
import { DomainNameService } from '../dns/domain-name-service.js';
import { DOMAIN_LIMITS } from '../limits.js';
import { DomainChecker } from './domain-checker.js';
import type { DomainChecksRepository, LeasedDomain } from './domain-checks.repository.js';

const TURN = 5;
const domainOf = (id: string): LeasedDomain => ({ id, accountId: id.split('-')[0] ?? '', fence: 1 });

/** Answers only when `answer` is called. */
class SlowNames extends DomainNameService {
  readonly names: string[] = [];
  private readonly waiting: (() => void)[] = [];

  async txt(name: string): Promise<string[][]> {
    this.names.push(name.replace('_dmarc.', ''));
    await new Promise<void>((resolve) => this.waiting.push(resolve));
    return [['v=DMARC1; p=none']];
  }

  async mx(): Promise<[]> {
    return [];
  }

  async cname(): Promise<[]> {
    return [];
  }

  answer(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

describe('DomainChecker', () => {
  let names: SlowNames;
  let leased: string[];
  let settled: string[];
  let checker: DomainChecker;

  beforeEach(() => {
    names = new SlowNames();
    leased = [];
    settled = [];
    const checks: Partial<DomainChecksRepository> = {
      lease: async (id) => {
        leased.push(id);
        return domainOf(id);
      },
      read: async ({ id }) => ({ domain: { name: `${id}.test`, nextCheckAt: null }, keys: [] }) as never,
      settle: async ({ id }) => {
        settled.push(id);
        return false;
      },
      release: async () => {},
    };
    checker = new DomainChecker(
      checks as DomainChecksRepository,
      names,
      { of: () => [] },
      { registered: (name) => name },
    );
  });

  afterEach(async () => {
    const stopped = checker.beforeApplicationShutdown();
    names.answer();
    await stopped;
  });

  const ask = (account: string, count: number) => {
    for (let at = 0; at < count; at++) checker.checkSoon(domainOf(`${account}-${at}`));
    return pause(TURN);
  };

  it('checks due domains at once, however many checks their account has asked for', async () => {
    await ask('a', 40);
    const due = checker.checkAll([domainOf('a-50'), domainOf('b-1')]);
    await pause(TURN);
    expect(names.names).toContain('a-50.test');
    expect(names.names).toContain('b-1.test');
    names.answer();
    await due;
    expect(settled).toEqual(expect.arrayContaining(['a-50', 'b-1']));
    expect(settled.length).toBeLessThanOrEqual(DOMAIN_LIMITS.checks.max + 2);
  });

  it('leases no domain before its turn, so that no lease ends while it waits', async () => {
    await ask('a', 40);
    expect(leased).toHaveLength(DOMAIN_LIMITS.checks.max / 2);
    await ask('b', 1);
    expect(leased).toContain('b-0');
  });

  it('keeps one turn for a domain, however often it is asked for', async () => {
    await ask('a', 40);
    for (let times = 0; times < 100; times++) checker.checkSoon(domainOf('a-39'));
    for (let round = 0; round < 30; round++) {
      names.answer();
      await pause(1);
    }
    expect(leased.filter((id) => id === 'a-39')).toHaveLength(1);
    expect(new Set(leased).size).toBe(40);
  });

  it('stops while many wait', async () => {
    await ask('a', 40);
    const stopped = checker.beforeApplicationShutdown();
    names.answer();
    await stopped;
    expect(leased).toHaveLength(DOMAIN_LIMITS.checks.max / 2);
  });
});
