import { type Field, fieldGroups, fieldValue } from './fields.js';
import type { Report } from './report.js';
import type { ReportMail } from './report-mail.js';

/** Token of a return path: 29 bytes in base32 of lower-case letters. Its case may have been changed on the way. */
const TOKEN = '[a-z2-7]{47}';
const IN_ADDRESS = new RegExp(`\\bb\\+(${TOKEN})@`, 'i');
const WHOLE = new RegExp(`^${TOKEN}$`, 'i');
const BRACKETED = /<([^<>\s]{1,250})>/;

/** The reference of a report to our email: a token, from the nearest place first, and the id of the returned message. */
export function referenceOf(mail: ReportMail): Pick<Report, 'token' | 'messageId'> {
  const token = tokenOf(mail);
  const messageId = BRACKETED.exec(fieldValue(mail.returned, 'message-id') ?? '')?.[1];
  return { ...(token !== undefined && { token }), ...(messageId !== undefined && { messageId }) };
}

function tokenOf({ headers, returned, deliveryStatus, feedback, notice }: ReportMail): string | undefined {
  const fields = [...deliveryStatus, ...feedback].flatMap((text) => fieldGroups(text).flat());
  const whole = [fieldValue(fields, 'original-envelope-id'), fieldValue(returned, 'x-email-ref')];
  const addressed = [
    ...values(headers, ['to', 'delivered-to', 'x-original-to', 'envelope-to']),
    ...values(fields, ['original-mail-from']),
    ...values(returned, ['return-path']),
    notice,
  ];
  const found =
    addressed.map((text) => IN_ADDRESS.exec(text)?.[1]).find((token) => token !== undefined) ??
    whole.map((text) => text?.trim()).find((text) => text !== undefined && WHOLE.test(text));
  return found?.toLowerCase();
}

function values(fields: readonly Field[], names: readonly string[]): string[] {
  return fields.filter(({ name }) => names.includes(name)).map(({ value }) => value);
}
