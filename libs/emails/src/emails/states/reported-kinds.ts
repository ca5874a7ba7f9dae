import type { RecipientState } from './recipient-state.js';

type Status = RecipientState['status'];

/** Kinds of reports, and the state that each leads to. `deferred` leads to none: the next hop still has the message. */
export const REPORTED_KINDS = {
  delivered: 'delivered',
  deferred: undefined,
  bounced: 'bounced',
  failed: 'failed',
  complained: 'complained',
} as const;
export type ReportedKind = keyof typeof REPORTED_KINDS;

/** Progress of recipients. States that are missing here were never sent to. */
const ORDER: readonly Status[] = [
  'pending',
  'delivery_delayed',
  'sent',
  'delivered',
  'failed',
  'bounced',
  'complained',
];

/** The state to which a report moves a recipient. Undefined: the recipient is in that state or beyond. */
export function afterReport(status: Status, kind: ReportedKind): (typeof REPORTED_KINDS)[ReportedKind] {
  const reported = REPORTED_KINDS[kind];
  const [from, to] = [ORDER.indexOf(status), reported === undefined ? -1 : ORDER.indexOf(reported)];
  return from !== -1 && to > from ? reported : undefined;
}
