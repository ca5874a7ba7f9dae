import type { RecipientState } from './recipient-state.js';
import { REPORTED_KINDS, type ReportedKind } from './reported-kinds.js';

type Status = RecipientState['status'];

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
