import { afterReport } from './after-report.js';
import type { RecipientState } from './recipient-state.js';
import type { ReportedKind } from './reported-kinds.js';

const STATUSES: readonly RecipientState['status'][] = [
  'pending',
  'delivery_delayed',
  'sent',
  'delivered',
  'failed',
  'bounced',
  'complained',
  'suppressed',
  'canceled',
];

describe('afterReport', () => {
  it.each<[ReportedKind, RecipientState['status'][]]>([
    ['delivered', ['pending', 'delivery_delayed', 'sent']],
    ['failed', ['pending', 'delivery_delayed', 'sent', 'delivered']],
    ['bounced', ['pending', 'delivery_delayed', 'sent', 'delivered', 'failed']],
    ['complained', ['pending', 'delivery_delayed', 'sent', 'delivered', 'failed', 'bounced']],
    ['deferred', []],
  ])('moves to %s from earlier states only', (kind, from) => {
    expect(STATUSES.filter((status) => afterReport(status, kind) !== undefined)).toEqual(from);
    for (const status of from) expect(afterReport(status, kind)).toBe(kind);
  });
});
