import type { RecipientsRow } from '../../storage/read/timeline.repository.js';
import { toRecipientRecords } from './recipient-record.js';

const T = (minute: number) => `2026-07-01 10:0${minute}:00.000000+00`;
const row = (fields: Partial<RecipientsRow>): RecipientsRow => ({
  to: ['a@x.test'],
  cc: [],
  bcc: [],
  recipients: [{ address: 'a@x.test', status: 'pending' }],
  lastEvent: 'queued',
  nextAttemptAt: T(9),
  forgotten: false,
  tried: [],
  lost: [],
  retries: {},
  latest: [],
  ...fields,
});
const first = (fields: Partial<RecipientsRow>) => toRecipientRecords(row(fields))[0];

describe('toRecipientRecords', () => {
  it('finds the first field of an address next to invalid mailboxes', () => {
    const records = toRecipientRecords(
      row({
        to: ['A <a@X.test>', '<erased>'],
        cc: ['a@x.test', 'b@x.test'],
        bcc: ['B <b@x.test>', 'C <c@bücher.test>'],
        recipients: ['a@x.test', 'b@x.test', 'c@xn--bcher-kva.test', '<erased>', 'gone@x.test'].map((address) => ({
          address,
          status: 'sent',
        })),
      }),
    );
    expect(records.map(({ field }) => field)).toEqual(['to', 'cc', 'bcc', 'to', 'to']);
  });

  it('counts attempts without a known end while a recipient was pending', () => {
    const lost = [
      { fence: 2, message: 0, startedAt: T(2) },
      { fence: 6, message: 0, startedAt: T(6) },
    ];
    const tried = [{ address: 'a@x.test', attempts: 1, lastAttemptAt: T(4), endedBy: 4 }];
    expect(first({ lost })).toMatchObject({ attempts: 2, last_attempt_at: T(6), next_attempt_at: T(9) });
    const ended = { recipients: [{ address: 'a@x.test', status: 'sent' as const }], lastEvent: 'sent' as const };
    expect(first({ lost, tried, ...ended })).toMatchObject({
      attempts: 2,
      last_attempt_at: T(4),
      next_attempt_at: null,
    });
  });

  it('counts a message without a known end for its only recipient, and shows when each is tried', () => {
    const recipients = ['a@x.test', 'b@x.test'].map((address) => ({ address, status: 'delivery_delayed' as const }));
    const lost = [{ fence: 2, message: 2, startedAt: T(2) }];
    const records = toRecipientRecords(row({ recipients, lost, retries: { 'b@x.test': T(20) } }));
    expect(records).toMatchObject([
      { attempts: 0, last_attempt_at: null, next_attempt_at: T(9) },
      { attempts: 1, last_attempt_at: T(2), next_attempt_at: T(20) },
    ]);
  });

  it.each([
    ['pending', 'queued', undefined, 'queued'],
    ['pending', 'scheduled', undefined, 'scheduled'],
    ['pending', 'delivery_delayed', undefined, 'queued'],
    ['pending', 'canceled', undefined, 'canceled'],
    ['delivery_delayed', 'canceled', 'delivery_delayed', 'canceled'],
    ['delivered', 'bounced', 'delivered', 'delivered'],
    ['refused', 'failed', 'failed', 'failed'],
    ['refused', 'failed', undefined, 'failed'],
    ['suppressed', 'suppressed', 'suppressed', 'suppressed'],
  ] as const)(
    'shows a recipient who is %s of an email that is %s, last %s, as %s',
    (status, lastEvent, type, shown) => {
      const latest = type ? [{ address: 'a@x.test', type, reason: 'why', reasonCode: 'why_not', source: null }] : [];
      const record = first({ recipients: [{ address: 'a@x.test', status }], lastEvent, latest });
      expect(record).toMatchObject({
        last_event: shown,
        reason: type ? 'why' : null,
        reason_code: type ? 'why_not' : null,
      });
    },
  );

  it('shows null for attempts that retention has deleted', () => {
    expect(first({ forgotten: true })).toMatchObject({ attempts: null, last_attempt_at: null });
  });
});
