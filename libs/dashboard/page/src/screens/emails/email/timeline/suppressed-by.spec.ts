import type { EmailEvent } from '../../../../api/types';
import { suppressedBy } from './suppressed-by';

const bounce = (type: string) => ({ type, subType: 'General', message: 'no', diagnosticCode: [] });
const event = (fields: Partial<EmailEvent>): EmailEvent => ({
  id: 'event',
  type: 'bounced',
  recipient: 'a@b.test',
  created_at: '2026-11-26 12:00:00.000000+00',
  reason: null,
  reason_code: null,
  attempt: null,
  transport: null,
  source: 'smtp',
  bounce: null,
  ...fields,
});

describe('the suppressed recipient of an event', () => {
  it.each<[string, Partial<EmailEvent>]>([
    ['a permanent bounce', { bounce: bounce('Permanent') }],
    ['a complaint', { type: 'complained', source: 'feedback' }],
    ['the list', { type: 'suppressed', source: 'suppression' }],
  ])('is that of %s', (_, fields) => {
    expect(suppressedBy(event(fields))).toBe('a@b.test');
  });

  it.each<[string, Partial<EmailEvent>]>([
    ['a bounce that may pass', { bounce: bounce('Transient') }],
    ['a delivery', { type: 'delivered' }],
    ['a report without a recipient', { type: 'complained', recipient: null }],
    ['an erased person', { type: 'complained', recipient: 'erased@erased.invalid' }],
  ])('is none of %s', (_, fields) => {
    expect(suppressedBy(event(fields))).toBeUndefined();
  });
});
