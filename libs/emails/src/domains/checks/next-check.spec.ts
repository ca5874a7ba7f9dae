import type { RecordStatus } from '../storage/domain-status.js';
import type { RecordCheck } from '../storage/record-check.js';
import type { Finding } from './finding.js';
import { nextCheck, PATIENCE, waitedFor } from './next-check.js';

const NOW = new Date('2026-11-27T12:00:00.000Z');
const ago = (milliseconds: number) => new Date(NOW.getTime() - milliseconds).toISOString();
const was = (status: RecordStatus, since: string | null = null): RecordCheck => ({
  status,
  since,
  found: ['before'],
  advice: [],
});
const RIGHT: Finding = { isRight: true, found: ['right'], advice: [] };
const WRONG: Finding = { isRight: false, found: ['wrong'], advice: [{ code: 'not_found' }] };

describe('nextCheck', () => {
  it.each<[RecordStatus, string | null]>([
    ['not_started', null],
    ['pending', ago(PATIENCE)],
    ['verified', null],
    ['temporary_failure', ago(2 * PATIENCE)],
    ['failed', ago(2 * PATIENCE)],
  ])('verifies a record that is there, after %s', (status, since) => {
    expect(nextCheck(was(status, since), RIGHT, NOW, 'value')).toEqual({
      status: 'verified',
      since: null,
      found: ['right'],
      advice: [],
      verifiedValue: 'value',
    });
  });

  it.each<[RecordStatus, string | null, RecordStatus, string]>([
    ['not_started', null, 'pending', ago(0)],
    ['pending', ago(PATIENCE - 1), 'pending', ago(PATIENCE - 1)],
    ['pending', ago(PATIENCE), 'failed', ago(PATIENCE)],
    ['verified', null, 'temporary_failure', ago(0)],
    ['temporary_failure', ago(PATIENCE - 1), 'temporary_failure', ago(PATIENCE - 1)],
    ['temporary_failure', ago(PATIENCE), 'failed', ago(PATIENCE)],
    ['failed', ago(PATIENCE), 'failed', ago(PATIENCE)],
  ])('after %s since %s, a missing record is %s', (status, since, next, begin) => {
    expect(nextCheck(was(status, since), WRONG, NOW, 'value')).toMatchObject({
      ...WRONG_SHOWN,
      status: next,
      since: begin,
    });
  });
  const WRONG_SHOWN = { found: ['wrong'], advice: [{ code: 'not_found' }] };

  it.each<[RecordStatus, RecordStatus]>([
    ['not_started', 'pending'],
    ['pending', 'pending'],
    ['verified', 'verified'],
    ['temporary_failure', 'temporary_failure'],
    ['failed', 'failed'],
  ])('a lookup without an answer leaves %s as %s, however long it takes', (status, next) => {
    const since = status === 'verified' || status === 'not_started' ? null : ago(10 * PATIENCE);
    expect(nextCheck(was(status, since), 'ETIMEOUT', NOW, 'value')).toMatchObject({
      status: next,
      since: status === 'not_started' ? ago(0) : since,
      found: ['before'],
      advice: [{ code: 'no_answer', detail: 'ETIMEOUT' }],
    });
  });

  it('knows the value that was there, until another one is', () => {
    const before = { ...was('verified'), verifiedValue: 'old' };
    for (const seen of [WRONG, 'ETIMEOUT']) {
      expect(nextCheck(before, seen, NOW, 'old')).toMatchObject({ verifiedValue: 'old' });
    }
    expect(waitedFor({ ...before, status: 'failed' }, NOW)).toMatchObject({ verifiedValue: 'old' });
    expect(nextCheck(before, WRONG, NOW, 'old').status).toBe('temporary_failure');
    expect(nextCheck(before, RIGHT, NOW, 'new')).toMatchObject({ status: 'verified', verifiedValue: 'new' });
  });

  it('waits for a record that should have another value than the one that was there', () => {
    for (const status of ['verified', 'temporary_failure'] as const) {
      const before = { ...was(status, ago(2 * PATIENCE)), verifiedValue: 'old' };
      expect(nextCheck(before, WRONG, NOW, 'new')).toMatchObject({ status: 'pending', since: ago(0) });
    }
  });

  it('keeps little of what it found, in a form that can be stored', () => {
    const found = Array<string>(20).fill('\0\ud800'.repeat(40_000));
    const { found: kept, advice } = nextCheck(
      undefined,
      { isRight: false, found, advice: [{ code: 'other_mx', detail: 'x'.repeat(1_000) }] },
      NOW,
      'value',
    );
    expect(kept).toHaveLength(5);
    expect(kept?.[0]).toBe('\ufffd'.repeat(600));
    expect(advice[0]?.detail).toHaveLength(200);
  });
});

describe('waitedFor', () => {
  it('starts the time again, except for what is there', () => {
    expect(waitedFor(undefined, NOW)).toMatchObject({ status: 'pending', since: ago(0) });
    expect(waitedFor(was('failed', ago(PATIENCE)), NOW)).toMatchObject({ status: 'pending', since: ago(0) });
    expect(waitedFor(was('temporary_failure', ago(9)), NOW)).toMatchObject({
      status: 'temporary_failure',
      since: ago(0),
    });
    expect(waitedFor(was('verified'), NOW)).toMatchObject({ status: 'verified', since: null });
  });
});
