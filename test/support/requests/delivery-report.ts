/** Values of a delivery report, as servers write them. */
export interface ReportedStatus {
  /** Default: `failed`. */
  action?: string;
  /** Default: 5.1.1. */
  status?: string;
  /** Default: that of an unknown user. */
  reply?: string;
}

/** A report of RFC 3464 on each of these recipients. */
export function deliveryReport(
  recipients: readonly string[],
  { action = 'failed', status = '5.1.1', reply = '550 5.1.1 unknown' }: ReportedStatus = {},
): string {
  const blocks = recipients.map(
    (to) =>
      `Final-Recipient: rfc822; ${to}\r\nAction: ${action}\r\nStatus: ${status}\r\nDiagnostic-Code: smtp; ${reply}\r\n`,
  );
  return [
    'From: mailer-daemon@mx.test',
    'Subject: Undelivered Mail Returned to Sender',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=x',
    '',
    '--x',
    'Content-Type: text/plain',
    '',
    'It could not be delivered.',
    '--x',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.test',
    '',
    blocks.join('\r\n'),
    '--x--',
    '',
  ].join('\r\n');
}
