/**
 * Kinds of reports, and the state that each leads to. `deferred` leads to none: the next hop still has the message. Nor does
 * `unsubscribed`: the message arrived.
 */
export const REPORTED_KINDS = {
  delivered: 'delivered',
  deferred: undefined,
  bounced: 'bounced',
  failed: 'failed',
  complained: 'complained',
  unsubscribed: undefined,
} as const;

/** The kind of a report: what became of one recipient. */
export type ReportedKind = keyof typeof REPORTED_KINDS;
