import type { Email, EmailAttachment } from '../../../../api/types';

/**
 * Says if the contents of an email can be shown, and why not: the visitor's role does not show them, the email is
 * `sensitive`, its contents were `cleared`, or it was sent `empty` or with `attachments` alone.
 */
export type Standing = 'shown' | 'role' | 'sensitive' | 'cleared' | 'empty' | 'attachments';

/** @param attachments those of the email; undefined while they are not known */
export function standingOf(
  { html, text, sensitive, no_content: noContent }: Email,
  attachments: readonly EmailAttachment[] | undefined,
  mayRead: boolean,
): Standing {
  if (!mayRead) return 'role';
  if (sensitive) return 'sensitive';
  if (noContent || (!html && text === '')) return 'empty';
  if (html !== null || text !== null || attachments === undefined) return 'shown';
  return attachments.length > 0 ? 'attachments' : 'cleared';
}

/** True if the message can still be made: shown as a source, resent, shared. */
export function isKept(standing: Standing): boolean {
  return standing === 'shown' || standing === 'empty' || standing === 'attachments';
}
