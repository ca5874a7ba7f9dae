import type { DomainRecord, RecordStatus } from '../../api/domains';
import { fullName, keyState, recordsLeft, recordsToKeep } from './standing';

const record = (status: RecordStatus, more: Partial<DomainRecord> = {}): DomainRecord => ({
  ...{ record: 'SPF', name: 'send', type: 'TXT', value: 'v=spf1 ~all', found: null, advice: [] },
  status,
  ...more,
});
const key = (status: RecordStatus, retired_at: string | null = null) =>
  record(status, {
    record: 'DKIM',
    name: 's2611r._domainkey',
    key: { created_at: '2026-11-01', verified_at: null, retired_at },
  });

describe('recordsLeft', () => {
  it('counts each record that is not there', () => {
    expect(recordsLeft({ records: [key('not_started'), record('pending'), record('failed')] })).toBe(3);
    expect(recordsLeft({ records: [key('verified'), record('verified'), record('temporary_failure')] })).toBe(1);
    expect(recordsLeft({ records: [] })).toBe(0);
  });

  it('counts several keys once: one is enough', () => {
    expect(recordsLeft({ records: [key('pending'), key('pending')] })).toBe(1);
    expect(recordsLeft({ records: [key('pending'), key('verified')] })).toBe(0);
  });

  it('leaves out keys that were replaced', () => {
    const records = [key('verified', '2026-11-20'), key('pending')];
    expect(recordsLeft({ records })).toBe(1);
    expect(recordsToKeep({ records })).toEqual([records[1]]);
  });
});

describe('keyState', () => {
  it('tells one that signs from one that waits and one that was replaced', () => {
    const times = { created_at: '1', verified_at: null, retired_at: null };
    expect(keyState(times)).toBe('waits');
    expect(keyState({ ...times, verified_at: '2' })).toBe('signs');
    expect(keyState({ ...times, verified_at: '2', retired_at: '3' })).toBe('replaced');
  });
});

describe('fullName', () => {
  it('has the domain once', () => {
    expect(fullName({ name: 'send' }, 'example.com')).toBe('send.example.com');
    expect(fullName({ name: '@' }, 'example.com')).toBe('example.com');
  });
});
