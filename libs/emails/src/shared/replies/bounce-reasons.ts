import { type BounceKind, UNDETERMINED } from './bounce.js';

const PERMANENT: BounceKind = { type: 'Permanent', subType: 'General' };
const transient = (subType: BounceKind['subType']): BounceKind => ({ type: 'Transient', subType });

/** The kind of bounce of each reason to refuse a recipient. The first reason of a kind stands for it. */
export const BOUNCE_REASONS = {
  address_unknown: PERMANENT,
  address_disabled: PERMANENT,
  address_invalid: PERMANENT,
  domain_not_found: PERMANENT,
  no_address_in_report: { type: 'Permanent', subType: 'NoEmail' },
  mailbox_full: transient('MailboxFull'),
  message_too_large: transient('MessageTooLarge'),
  content_rejected: transient('ContentRejected'),
  attachment_rejected: transient('AttachmentRejected'),
  route_failed: transient('General'),
  policy_rejected: transient('General'),
  sender_limit: transient('General'),
  unrecognised_reply: UNDETERMINED,
} as const satisfies Record<string, BounceKind>;

/** One of `BOUNCE_REASONS`. */
export type BounceReason = keyof typeof BOUNCE_REASONS;

/** Reasons that are about the address: they hold for every sender. */
const OF_ADDRESS: ReadonlySet<string> = new Set<BounceReason>([
  'address_unknown',
  'address_disabled',
  'address_invalid',
  'domain_not_found',
]);

/** True if a reason code says that the address is of no use for any sender, so that it is to be suppressed. */
export function isAboutAddress(reasonCode: string | null | undefined): boolean {
  return typeof reasonCode === 'string' && OF_ADDRESS.has(reasonCode);
}

/** The kind of a bounce with this reason; undefined for any other reason code. */
export function bounceOfReason(reasonCode: string | undefined): BounceKind | undefined {
  const reasons: Readonly<Record<string, BounceKind>> = BOUNCE_REASONS;
  return reasonCode !== undefined && Object.hasOwn(reasons, reasonCode) ? reasons[reasonCode] : undefined;
}

/** The reason that stands for a kind. */
export function reasonOfBounce(kind: BounceKind): BounceReason {
  const found = (Object.keys(BOUNCE_REASONS) as BounceReason[]).find((reason) => isSame(BOUNCE_REASONS[reason], kind));
  return found ?? (kind.type === 'Transient' ? 'route_failed' : 'unrecognised_reply');
}

/** True for two equal kinds. */
export function isSame(a: BounceKind, b: BounceKind): boolean {
  return a.type === b.type && a.subType === b.subType;
}
