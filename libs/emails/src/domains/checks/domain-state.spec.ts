import { DMARC, wantedRecords } from '../records/wanted-records.js';
import type { DomainEntity } from '../storage/domain.entity.js';
import type { DomainKeyEntity } from '../storage/domain-key.entity.js';
import type { DomainStatus, RecordStatus } from '../storage/domain-status.js';
import { changedKeys, checked, lookedUpRecords, requested } from './domain-state.js';
import { domainStatus } from './domain-status.js';
import { replacedKeys } from './retire-keys.js';

const NOW = new Date('2026-11-27T12:00:00Z');
const key = (selector: string, generation: number, more: Partial<DomainKeyEntity> = {}): DomainKeyEntity => ({
  domainId: '0198f0c1-0000-7000-8000-000000000000',
  selector,
  algorithm: selector.includes('e') ? 'ed25519' : 'rsa',
  generation,
  publicKey: selector,
  keyId: '',
  sealed: '',
  createdAt: NOW,
  verifiedAt: null,
  retiredAt: null,
  ...more,
});
const OPTIONS = { bounceHost: 'mx.relay.test', spfMechanisms: ['a'] };
const PLAIN = { returnPath: 'send', challenge: 'c' };
const domain = (facts: Partial<DomainEntity> = {}) =>
  ({
    status: 'not_started',
    checks: {},
    verifiedAt: null,
    missingSince: null,
    verifyingSince: null,
    checkedAt: null,
    nextCheckAt: null,
    ...facts,
  }) as DomainEntity;

const check = (status: RecordStatus) => ({ status, since: null, found: null, advice: [] });
const statusOf = (previous: DomainStatus, keys: Record<string, RecordStatus>, others: RecordStatus[] = []) => {
  const names = Object.keys(keys);
  const records = wantedRecords(
    PLAIN,
    names.map((name) => key(name, 1)),
    others.length > 0 ? OPTIONS : {},
  );
  const statuses = [...Object.values(keys), ...others];
  const checks = Object.fromEntries(records.map((record, at) => [record.key, check(statuses[at]!)]));
  return domainStatus(previous, records, checks);
};

describe('domainStatus', () => {
  it.each<[DomainStatus, Record<string, RecordStatus>, RecordStatus[], DomainStatus]>([
    ['not_started', { r: 'not_started' }, [], 'not_started'],
    ['not_started', { r: 'pending' }, [], 'pending'],
    ['pending', { r: 'verified' }, [], 'verified'],
    ['pending', { r: 'verified', e: 'pending' }, [], 'verified'],
    ['pending', { r: 'verified', e: 'failed' }, [], 'verified'],
    ['pending', { r: 'failed', e: 'verified' }, [], 'verified'],
    ['pending', { r: 'verified' }, ['verified', 'pending'], 'pending'],
    ['pending', { r: 'verified' }, ['verified', 'verified'], 'verified'],
    ['pending', { r: 'verified' }, ['failed', 'verified'], 'failed'],
    ['pending', { r: 'failed' }, ['verified', 'verified'], 'failed'],
    ['verified', { r: 'temporary_failure' }, ['verified', 'verified'], 'verified'],
    ['verified', { r: 'verified' }, ['pending', 'not_started'], 'verified'],
    ['verified', { r: 'failed' }, ['verified', 'verified'], 'failed'],
    ['failed', { r: 'pending' }, ['pending', 'verified'], 'pending'],
    ['failed', { r: 'verified' }, ['verified', 'verified'], 'verified'],
    ['failed', { r: 'verified' }, ['verified', 'temporary_failure'], 'pending'],
  ])('after %s, keys %j and records %j make it %s', (previous, keys, others, status) => {
    expect(statusOf(previous, keys, others)).toBe(status);
  });
});

describe('replacedKeys', () => {
  const replaced = (...keys: DomainKeyEntity[]) => replacedKeys(keys).map(({ selector }) => selector);
  const verified = { verifiedAt: NOW };

  it('keeps the old key until the record of the new one was found', () => {
    expect(replaced(key('r1', 1, verified), key('r2', 2))).toEqual([]);
    expect(replaced(key('r1', 1, verified), key('r2', 2, verified))).toEqual(['r1']);
  });

  it('replaces each algorithm by itself, and one that is given up by any', () => {
    const old = [key('r1', 1, verified), key('e1', 1, verified)];
    expect(replaced(...old, key('r2', 2, verified), key('e2', 2))).toEqual(['r1']);
    expect(replaced(...old, key('r2', 2, verified))).toEqual(['r1', 'e1']);
    expect(replaced(...old, key('r2', 2))).toEqual([]);
  });
});

describe('the state of a domain', () => {
  const keys = [key('r1', 1)];
  const records = wantedRecords(PLAIN, keys, OPTIONS);
  const found = new Map(
    lookedUpRecords(records).map((record) => [record.key, { isRight: true, found: [], advice: [] }]),
  );
  const lost = new Map(found).set('spf mx', { isRight: false, found: [], advice: [] });

  it('goes from a request to verified, and notes when a record is missing', () => {
    const asked = domain(requested(domain(), records, NOW));
    expect(asked).toMatchObject({ status: 'pending', verifyingSince: NOW });
    const good = domain({ ...asked, ...checked(asked, records, found, NOW) });
    expect(good).toMatchObject({ status: 'verified', verifiedAt: NOW, missingSince: null });
    expect(changedKeys(keys, good.checks, NOW).verified).toEqual(keys);
    const later = new Date(NOW.getTime() + 1);
    const bad = domain({ ...good, ...checked(good, records, lost, later) });
    expect(bad).toMatchObject({ status: 'verified', missingSince: later });
    expect(checked(bad, records, found, later)).toMatchObject({ status: 'verified', missingSince: null });
  });

  describe('after an option of the host has changed', () => {
    const DAY = 86_400_000;
    const wrong = new Map(found);
    for (const name of ['spf mx', 'spf txt']) wrong.set(name, { isRight: false, found: [], advice: [] });

    /** A domain that was verified with the records `before`, and is checked for four days with others. */
    function checkedFor(before: typeof records, after: typeof records, findings = wrong): DomainEntity {
      const asked = domain(requested(domain(), before, NOW));
      let at = domain({ ...asked, ...checked(asked, before, found, NOW) });
      expect(at.status).toBe('verified');
      for (let day = 1; day <= 4; day++) {
        at = domain({ ...at, ...checked(at, after, findings, new Date(NOW.getTime() + day * DAY)) });
      }
      return at;
    }

    const plain = wantedRecords(PLAIN, keys, {});
    const changed = wantedRecords(PLAIN, keys, { bounceHost: 'mx2.relay.test', spfMechanisms: ['a', 'mx'] });

    it('stays verified without records that were never asked for, and has no alarm', () => {
      const after = checkedFor(plain, records);
      expect(after).toMatchObject({ status: 'verified', missingSince: null });
      expect(after.checks['spf mx']?.status).toBe('failed');
    });

    it('stays verified with the records of before, and has no alarm', () => {
      const after = checkedFor(records, changed);
      expect(after).toMatchObject({ status: 'verified', missingSince: null });
      expect(after.checks['spf txt']?.status).toBe('failed');
    });

    it('is no longer verified when a record that it had is missing', () => {
      const vanished = checkedFor(records, records);
      expect(vanished.status).toBe('failed');
      expect(vanished.missingSince).toEqual(new Date(NOW.getTime() + DAY));
    });

    it('loses its key although the host has new records too', () => {
      const none = new Map(wrong).set('dkim r1', { isRight: false, found: [], advice: [] });
      expect(checkedFor(plain, records, none).status).toBe('failed');
    });
  });

  it('has no alarm for a key whose record was never there, next to one that is', () => {
    const both = wantedRecords(PLAIN, [key('r1', 1), key('e1', 1)], {});
    const one = new Map(found).set('dkim e1', { isRight: false, found: [], advice: [] });
    const asked = domain(requested(domain(), both, NOW));
    const first = domain({ ...asked, ...checked(asked, both, one, NOW) });
    const later = checked(first, both, one, new Date(NOW.getTime() + 73 * 3_600_000));
    expect(later.checks['dkim e1']?.status).toBe('failed');
    expect(later).toMatchObject({ status: 'verified', missingSince: null });
  });

  it('has no alarm for a domain that was never verified', () => {
    const asked = domain(requested(domain(), records, NOW));
    expect(checked(asked, records, lost, NOW)).toMatchObject({ status: 'pending', missingSince: null });
  });

  it('forgets the checks of keys that are gone', () => {
    const before = domain({ checks: { 'dkim gone': check('verified'), dmarc: check('verified') } });
    expect(Object.keys(checked(before, records, found, NOW).checks).sort()).toEqual(
      ['dkim r1', 'spf mx', 'spf txt', DMARC.key].sort(),
    );
  });

  it('does not look up the record of a replaced key', () => {
    const replaced = wantedRecords(PLAIN, [key('r1', 1, { retiredAt: NOW }), key('r2', 2)], {});
    expect(lookedUpRecords(replaced).map((record) => record.key)).toEqual(['dkim r2', 'dmarc']);
  });
});

describe('wantedRecords', () => {
  it('are a challenge alone where the relay signs', () => {
    expect(wantedRecords(PLAIN, [], { isSignedByRelay: true })).toEqual([
      {
        kind: 'challenge',
        key: 'challenge',
        name: '_emails-challenge',
        value: 'emails-domain-verification=c',
      },
    ]);
  });

  it('are keys alone where the return path is a relay’s', () => {
    expect(wantedRecords(PLAIN, [key('r1', 1)], {}).map(({ kind }) => kind)).toEqual(['dkim']);
  });
});
