import type { REASON_CODES, REPORT_SOURCES } from 'nestjs-emails/facts';
import type { EmailState } from '../../../api/types';
import { countedOf } from '../../../parts/numbers';
import { sizeOf } from '../../../parts/sizes';
import type { LinkProblem } from './content/message-checks';

/** The meaning of an event for the mail, and the next step. */
export interface Outcome {
  meaning: string;
  advice?: string;
}

/** By the reason codes of the contract, section 3.4; a missing one does not compile. */
const OF_REASONS: Readonly<Record<keyof typeof REASON_CODES, Outcome>> = {
  expired: {
    meaning: 'We gave up after the last attempt of the schedule.',
    advice: 'Resend it when the problem in the last reply is solved.',
  },
  unknown_outcome_held: {
    meaning: 'The connection was lost before the mail server confirmed the email. It may have been sent.',
    advice: 'Ask the recipient before you resend it: they may get it twice.',
  },
  previous_bounce: {
    meaning: 'The address is on the suppression list: an earlier email to it bounced.',
    advice: 'Remove the address from the list if it works again.',
  },
  previous_complaint: {
    meaning: 'The address is on the suppression list: its owner reported an earlier email as spam.',
    advice: 'Remove the address from the list only if the recipient asks for your mail.',
  },
  manual: {
    meaning: 'The address was put on the suppression list by hand.',
    advice: 'Remove the address from the list if the recipient wants your mail.',
  },
  no_transport: {
    meaning: 'None of the servers of this system may take this email.',
    advice: 'Look at the rules of its transports, and at the log.',
  },
  not_allowed_here: {
    meaning: 'This is a staging system, which sends no mail to this address.',
    advice: 'Add the address or its domain to those that get mail here, if it should get some.',
  },
  redirect_failed: {
    meaning: 'Mail is redirected here, and the mailbox that gets it refused this email.',
    advice: 'Check the mailbox that the staging banner names.',
  },
  topic_opted_out: {
    meaning: 'The recipient opted out of this topic, so nothing was sent to them.',
    advice: 'Mail without the topic still reaches them.',
  },
  no_reply: {
    meaning: "We couldn't reach the mail server, or it didn't answer.",
    advice: 'Health shows since when, and how many emails wait.',
  },
  worker_lost: {
    meaning: 'The process that was sending stopped in the middle of this attempt.',
    advice: 'If it happens again, look at the log of the worker: it may run out of memory.',
  },
  message_not_made: {
    meaning: 'The message could not be built.',
    advice: 'The log of the worker names the part that failed.',
  },
  message_too_large: {
    meaning: 'The message is larger than the mail server accepts.',
    advice: 'Send a smaller one, with links in place of attachments.',
  },
  smtputf8_missing: {
    meaning: "An address has letters outside of ASCII, which the mail server doesn't accept.",
    advice: 'Send to an address without them.',
  },
  domain_not_verified: {
    meaning: 'The domain of the sender was not verified when the email was due.',
    advice: 'Verify the domain, then send the email again.',
  },
  restricted_api_key: {
    meaning: 'The API key may not send from this domain.',
    advice: 'Send it again with a key of the domain, or with one for all domains.',
  },
  address_too_long: { meaning: 'An address is too long for the mail server.', advice: 'Check the address.' },
  tls_missing: {
    meaning: "This email requires an encrypted connection, which the mail server doesn't offer.",
    advice: 'Enable TLS at the mail server.',
  },
  invalid_dsn: {
    meaning: 'The request for delivery reports is invalid.',
    advice: 'Correct it in the code that sends the email, then send it as a new one.',
  },
  address_unknown: {
    meaning: "The recipient's server doesn't know this address.",
    advice: 'Check the address with the recipient by other means.',
  },
  address_disabled: {
    meaning: 'The mailbox is disabled or closed.',
    advice: 'Ask the recipient by other means for another address.',
  },
  address_invalid: {
    meaning: 'The address is invalid.',
    advice: 'Look for a typing error in it.',
  },
  domain_not_found: {
    meaning: 'The domain of the address does not exist, or accepts no mail.',
    advice: 'Look for a typing error behind the @.',
  },
  mailbox_full: { meaning: 'The mailbox is full.', advice: 'Resend it when the recipient has made room.' },
  content_rejected: {
    meaning: "The recipient's server refused the content, as spam for example.",
    advice: 'Look at the checks of this email, and at what the server says.',
  },
  attachment_rejected: {
    meaning: "The recipient's server refused an attachment.",
    advice: 'Send a link in place of the attachment.',
  },
  policy_rejected: {
    meaning: "A rule of the recipient's server refused the sender, not the address.",
    advice: 'Follow what the server says: it is about the domain, the server or the reputation of the sender.',
  },
  sender_limit: {
    meaning: 'A limit of the sender at the mail server was reached.',
    advice: 'Send less at a time, or ask for a higher limit.',
  },
  route_failed: {
    meaning: "The recipient's server could not be reached, or could not accept the email at that time.",
    advice: 'Resend it later.',
  },
  unrecognised_reply: {
    meaning: 'The server refused it, and its words do not say whether permanently.',
    advice: 'Resend it once. If it bounces again, check the address.',
  },
  no_address_in_report: {
    meaning: 'It bounced, and the report does not say for which recipient.',
    advice: 'Look at the report for an address to which it was forwarded.',
  },
  unconfirmed_bounce: {
    meaning: 'A report says that it bounced. Any recipient of this email could have written it.',
    advice: 'Nothing was suppressed. Send to this recipient alone to find out.',
  },
};

/** By the event, for those whose reason is the words of a server. */
const OF_EVENTS: Readonly<Record<EmailState, Outcome>> = {
  scheduled: { meaning: 'It will be sent at the scheduled time.' },
  queued: { meaning: 'It was accepted and is in the queue.' },
  sent: { meaning: 'The mail server accepted it.' },
  delivered: { meaning: "The recipient's own server accepted it." },
  opened: { meaning: 'The recipient opened it.' },
  clicked: { meaning: 'The recipient clicked a link in it.' },
  delivery_delayed: { meaning: 'The mail server asked to try again later.', advice: 'It is tried again by itself.' },
  bounced: { meaning: 'The server refused it.', advice: 'Check the address with the recipient by other means.' },
  complained: {
    meaning: 'The recipient marked it as spam.',
    advice: "Don't write to this address again unless the person asks for it.",
  },
  failed: { meaning: 'It was not sent.' },
  canceled: { meaning: 'It was canceled before it was sent.' },
  suppressed: { meaning: 'The address is on the suppression list, so nothing was sent to it.' },
};

/** By the kind of a bounce. */
const OF_BOUNCES: Readonly<Record<string, Outcome>> = {
  Permanent: {
    meaning: 'The server refused the address permanently.',
    advice: 'Check the address with the recipient by other means.',
  },
  Transient: { meaning: 'The server refused it this time, for a reason that may pass.', advice: 'Resend it later.' },
  Undetermined: {
    meaning: 'The server refused it, and its words do not say whether permanently.',
    advice: 'Resend it once. If it bounces again, check the address.',
  },
};

const LINK_PROBLEMS: Readonly<Record<LinkProblem, string>> = {
  empty: 'No target',
  insecure: 'Not encrypted (http:)',
  relative: 'Incomplete address: it leads nowhere in an email',
  unsupported: 'Mail programs do not open such a target',
  other_address: 'The text shows another address',
};

/** All texts of one email. */
export const TEXTS = {
  notRead: 'The email could not be read',
  missing: {
    title: 'There is no such email',
    text: 'It may belong to another account, or the link is incomplete.',
  },
  noSubject: '(no subject)',
  facts: {
    from: 'From',
    to: 'To',
    cc: 'Cc',
    bcc: 'Bcc',
    replyTo: 'Reply to',
    created: 'Created',
    scheduled: 'Scheduled for',
    priority: 'Priority',
    held: 'Held since',
    tags: 'Tags',
    topic: 'Topic',
    id: 'Id',
    messageId: 'Message id',
    resentFrom: 'Resent from',
  },
  bulk: 'Bulk',
  ofId: 'the id',
  ofMessageId: 'the message id',
  showMore: (count: number) => `Show ${count} more`,
  fromSame: 'Emails from this sender',
  tagged: 'Emails with this tag',

  actions: {
    more: 'More',
    cancel: 'Cancel',
    reschedule: 'Reschedule',
    retry: 'Retry now',
    resend: 'Resend',
    share: 'Share',
    curl: 'Copy as cURL',
    eml: 'Download .eml',
    failed: 'Nothing was changed',
    emlFailed: 'The email was not downloaded',
    retried: 'The next attempt starts now.',
    canceled: 'The email is canceled.',
  },
  cancel: {
    title: 'Cancel this email?',
    action: 'Cancel the email',
    keep: 'Keep it',
    meaning: 'It will not be sent. This cannot be undone.',
  },
  reschedule: {
    title: 'Reschedule the email',
    action: 'Reschedule',
    failed: 'The time was not changed',
    when: 'When',
    hint: 'Such as “in 2 hours”, “tomorrow at 9am” (UTC), or 2026-12-24T09:00:00+01:00.',
    suggestion: 'in 10 minutes',
    done: 'The email has a new time.',
  },
  resend: {
    title: 'Resend the email',
    action: 'Resend',
    failed: 'It was not resent',
    meaning: 'A new email with the same content goes to the selected recipients. This one stays unchanged.',
    recipients: 'Recipients',
  },
  share: {
    title: 'Share the email',
    action: 'Create link',
    failed: 'The link was not created',
    meaning: 'Anyone with the link can read this email, without an account, until the link expires.',
    expires: 'Expires after',
    times: { '1h': '1 hour', '24h': '1 day', '48h': '2 days' },
    ready: 'The link is ready',
    link: 'the link',
    done: 'Done',
  },
  curl: {
    title: 'Send it with cURL',
    meaning: 'It sends a new email with the same values. Put an API key in place of $API_KEY.',
    label: 'Command',
    done: 'Done',
    leftOut: (attachments: number) =>
      attachments > 0
        ? `${countedOf(attachments, 'attachment')} and headers of your own are left out.`
        : 'Headers of your own are left out.',
    shortened: (shown: number) => `${sizeOf(shown)} of it are shown; Copy copies all of it.`,
  },

  timeline: {
    title: 'Timeline',
    label: 'Events',
    notRead: 'The events could not be read',
    next: 'Next attempt',
    attempt: (count: number) => `attempt ${count}`,
    suppression: 'Look it up in Suppressions',
    whole: 'The whole email',
    gone: 'The events are no longer kept.',
    cut: (count: number) => `Only the newest ${countedOf(count, 'event')} are shown.`,
  },
  optedOut: (topic: string): Outcome => ({
    meaning: `The recipient opted out of ${topic}, so nothing was sent to them.`,
    advice: 'Mail without this topic still reaches them.',
  }),
  /** By the source of a later report (contract, section 4.4). */
  reports: {
    dsn: 'Reported later by a mail server, in a delivery report.',
    feedback: 'Reported later by the mail operator of the recipient.',
    relay: 'Reported later by the relay.',
    unsubscribe: 'By the unsubscribe link of the email.',
  } satisfies Readonly<Record<(typeof REPORT_SOURCES)[number], string>>,
  reasons: OF_REASONS,
  events: OF_EVENTS,
  bounces: OF_BOUNCES,

  content: 'Content of the email',
  preview: 'Preview of the email',
  tabs: {
    preview: () => 'Preview',
    text: () => 'Text',
    html: () => 'HTML',
    headers: () => 'Headers',
    source: () => 'Source',
    attachments: (count: number) => (count > 0 ? `Attachments (${count})` : 'Attachments'),
    checks: (count: number) => (count > 0 ? `Checks (${count})` : 'Checks'),
  },
  nothing: {
    sensitive:
      'This email is sensitive: its content is shown nowhere, and deleted as soon as nothing is pending. It cannot be resent, shared, or shown as a source.',
    cleared:
      'The content of this email is no longer kept: it was removed after the time that this host keeps contents.',
    empty: 'The email was sent without html and text.',
    onlyAttachments: 'The email has neither html nor text, only attachments.',
    noText: 'The email has no text of its own. Its text part is derived from the html: see the source.',
    textOff: 'The email was sent without a text part.',
    noHtml: 'The email has no html. Mail programs show its text.',
    noAttachments: 'The email has no attachments.',
  },
  plainHtml: (size: number) => `${sizeOf(size)}, shown without colours because it is long.`,
  cutHtml: (shown: number, size: number) => `The first ${sizeOf(shown)} of ${sizeOf(size)} are shown.`,
  htmlCode: 'the html',
  headersNotRead: 'The headers could not be read',
  headers: 'Headers in order',
  headerName: 'Name',
  headerValue: 'Value',
  sourceNotRead: 'The source could not be read',
  sourceCut: (shown: number) => `These are the first ${sizeOf(shown)}.`,
  download: 'Download',
  attachmentsNotRead: 'The attachments could not be listed',
  attachmentColumns: { name: 'Name', type: 'Type', size: 'Size' },
  unnamed: 'Without a name',

  checks: {
    lead: 'Nothing in the email was fetched for these checks.',
    cut: (size: number) => `The html is long: images and links are checked in its first ${sizeOf(size)}.`,
    good: 'Good',
    look: 'Look at this',
    size: 'Size',
    sizeGood: (size: number, limit: number) =>
      `The html has ${sizeOf(size)}. Gmail shows up to ${sizeOf(limit)} of a message.`,
    sizeBad: (size: number, limit: number) =>
      `The html has ${sizeOf(size)}. Gmail cuts a message off after ${sizeOf(limit)} and hides the rest, often with the unsubscribe link. Make it shorter.`,
    text: 'Text part',
    textOwn: 'It has a text of its own.',
    textDerived: 'It is derived from the html when the email is sent.',
    textMissing:
      'There is none, because text was sent empty. Spam filters and some readers expect one: leave the field out, and it is derived from the html.',
    images: 'Images',
    noImages: 'There are none.',
    imagesGood: (count: number) => `${countedOf(count, 'image')}, each with an alternative text (alt).`,
    imagesBad: (missing: number, count: number) =>
      `${countOfThese(missing, count, 'image')} without an alternative text (alt). Many readers do not load images, and see nothing there. An empty one is right for decoration.`,
    links: 'Links',
    noLinks: 'There are none.',
    linksGood: (count: number) => `${countedOf(count, 'link')}, all complete and encrypted.`,
    linksBad: (bad: number, count: number) =>
      `${countOfThese(bad, count, 'link')} to look at, marked in the list below.`,
    linksCut: (shown: number) => `The first ${shown} are listed.`,
    unsubscribe: 'Unsubscribe',
    unsubscribeGood: 'Mail programs offer to unsubscribe with one click (RFC 8058).',
    unsubscribeLink:
      'The email has a link to unsubscribe, but not for one click: that needs https and a signature. Verify the domain of the sender.',
    unsubscribeBad:
      'The email has a topic and no List-Unsubscribe header, so mail programs offer no way to unsubscribe. Gmail and Yahoo require it of bulk mail.',
    unsubscribeSeveral:
      'The email has several recipients and no List-Unsubscribe header: a link belongs to one person. Send one email to each.',
    signature: 'Signature',
    signatureGood: (domain: string) => `Emails from ${domain} are signed (DKIM): the domain is verified.`,
    signatureUnverified: (domain: string) =>
      `Emails from ${domain} are not signed by this server: the domain is not verified. Domains shows which records are missing.`,
    signatureNone: (domain: string) =>
      `Emails from ${domain} are not signed by this server: it is none of your domains. Add it in Domains, unless your relay signs.`,
    linkTable: 'Links in the email',
    linkText: 'Text',
    linkTarget: 'Target',
    linkEmptyText: '(image or no text)',
    linkEmptyTarget: '(empty)',
    linkProblems: LINK_PROBLEMS,
  },
} as const;

/** "2 of 5 images", "1 image" when it is the only one. */
function countOfThese(some: number, all: number, one: string): string {
  return some === all ? countedOf(all, one) : `${some} of ${countedOf(all, one)}`;
}
