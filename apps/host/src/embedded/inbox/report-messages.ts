import { randomUUID } from 'node:crypto';
import type { ReportKind } from './recipient-answers.js';

/** A message that was accepted. */
export interface ReportedMessage {
  /** Reverse-path. */
  from: string;
  to: string;
  /** Header of the message, with CR LF. */
  header: string;
}

/** Writes the report of a kind about a message, as a mail server does. */
export function reportMessage(kind: ReportKind, message: ReportedMessage, now = new Date()): string {
  const boundary = randomUUID();
  return WRITERS[kind](message, { boundary, date: now.toUTCString().replace('GMT', '+0000') });
}

interface Facts {
  boundary: string;
  date: string;
}

const WRITERS: Readonly<Record<ReportKind, (message: ReportedMessage, facts: Facts) => string>> = {
  /** RFC 3464. */
  bounce: ({ from, to, header }, { boundary, date }) =>
    report(
      {
        from: 'Mail Delivery System <mailer-daemon@inbox.test>',
        to: from,
        date,
        subject: 'Undelivered Mail Returned to Sender',
        fields: ['Auto-Submitted: auto-replied'],
      },
      { type: 'delivery-status', boundary },
      [
        'Content-Type: text/plain\r\n\r\nThe message could not be delivered: the mailbox does not exist.',
        `Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; inbox.test\r\nArrival-Date: ${date}\r\n\r\n` +
          `Final-Recipient: rfc822; ${to}\r\nAction: failed\r\nStatus: 5.1.1\r\n` +
          `Diagnostic-Code: smtp; 550 5.1.1 <${to}>: There is no such mailbox, as its name asks for`,
        `Content-Type: text/rfc822-headers\r\n\r\n${header}`,
      ],
    ),
  /** RFC 5965. */
  complaint: ({ from, to, header }, { boundary, date }) =>
    report(
      {
        from: 'Feedback <feedback@inbox.test>',
        to: from.replace(/^.*@/, 'fbl@'),
        date,
        subject: 'Complaint',
        fields: [],
      },
      { type: 'feedback-report', boundary },
      [
        'Content-Type: text/plain\r\n\r\nThe recipient calls this message spam.',
        'Content-Type: message/feedback-report\r\n\r\nFeedback-Type: abuse\r\nUser-Agent: inbox/1.0\r\nVersion: 1\r\n' +
          `Original-Mail-From: <${from}>\r\nOriginal-Rcpt-To: <${to}>`,
        `Content-Type: text/rfc822-headers\r\n\r\n${header}`,
      ],
    ),
  /** RFC 3834. */
  away: ({ from, to }, { date }) =>
    [
      `From: <${to}>`,
      `To: <${from}>`,
      `Date: ${date}`,
      'Subject: Out of office',
      'Auto-Submitted: auto-replied',
      'Content-Type: text/plain',
      '',
      'I am away until Monday.',
      '',
    ].join('\r\n'),
};

function report(
  { from, to, date, subject, fields }: { from: string; to: string; date: string; subject: string; fields: string[] },
  { type, boundary }: { type: string; boundary: string },
  parts: readonly string[],
): string {
  const head = [
    `From: ${from}`,
    `To: <${to}>`,
    `Date: ${date}`,
    `Subject: ${subject}`,
    `Message-ID: <${boundary}@inbox.test>`,
    ...fields,
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${type}; boundary="${boundary}"`,
  ];
  const body = parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('\r\n');
  return `${head.join('\r\n')}\r\n\r\n${body}\r\n--${boundary}--\r\n`;
}
