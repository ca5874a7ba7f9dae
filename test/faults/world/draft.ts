/** A secret that must not occur in a log line or a job: every body has it, and the domain of every recipient. */
export const BODY_CANARY = 'zqbody';
export const RECIPIENT_DOMAIN = 'zqrcpt.test';

/** Text before the tag in a subject. */
export const SUBJECT = 'Fault test ';

/** An email that a scenario sends. */
export interface Draft {
  /** Its table row. */
  row: string;
  /** Default: 1. */
  recipients?: number;
  /** Milliseconds from now. Default: at once. */
  scheduledIn?: number;
  /** Expected outcome of every recipient, or of each in turn. Default: `accepted`. */
  expect?: Ending | readonly Ending[];
  /**
   * Copies that a recipient may get, regardless of the number of attempts with an unknown end. Default: one more than
   * these.
   */
  atMost?: number;
  /** Text of an attachment. Default: none. */
  attachment?: string;
  /** Template of the content, and its values. Default: none. */
  template?: { id: string; variables: Record<string, string> };
}

/** `accepted`: by the next hop. `returned`: the same, and then a report of a bounce. `ended`: with a copy, or with a reason. */
export type Ending = 'accepted' | 'refused' | 'returned' | 'ended';

/** A draft with unique names, which identify it everywhere. */
export interface Mail extends Omit<Draft, 'scheduledIn'> {
  recipients: number;
  expect: Ending | readonly Ending[];
  /** `<row>-<number>`. */
  tag: string;
  scheduledAt: string | undefined;
}

export function toMail(draft: Draft, number: number): Mail {
  const scheduledAt =
    draft.scheduledIn === undefined ? undefined : new Date(Date.now() + draft.scheduledIn).toISOString();
  const { scheduledIn: _, ...kept } = draft;
  return { recipients: 1, expect: 'accepted', ...kept, tag: `${draft.row}-${number}`, scheduledAt };
}

export function senderOf(tag: string): string {
  return `sender@${tag}.from.test`;
}

export function recipientOf(tag: string, index = 0): string {
  return `to${index}@${tag}.${RECIPIENT_DOMAIN}`;
}

/** The tag that a subject names. */
export function tagOf(subject: string): string {
  return subject.replace(SUBJECT, '');
}

/** The row of a tag. */
export function rowOf(tag: string): string {
  return tag.slice(0, tag.lastIndexOf('-'));
}

/** The request body. */
export function toRequest({ tag, recipients, scheduledAt, attachment, template }: Mail): object {
  return {
    from: senderOf(tag),
    to: Array.from({ length: recipients }, (_, index) => recipientOf(tag, index)),
    subject: `${SUBJECT}${tag}`,
    ...(template ? { template } : { text: `${BODY_CANARY} ${tag} `.repeat(20), html: `<p>${BODY_CANARY} ${tag}</p>` }),
    ...(scheduledAt !== undefined && { scheduled_at: scheduledAt }),
    ...(attachment !== undefined && {
      attachments: [{ filename: 'a.txt', content: Buffer.from(attachment).toString('base64') }],
    }),
  };
}
