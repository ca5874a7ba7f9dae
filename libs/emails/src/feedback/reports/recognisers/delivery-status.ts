import { addressOf } from '../address-of.js';
import { bounceReport } from '../bounce-report.js';
import { type Field, fieldGroups, fieldValue } from '../fields.js';
import { MAX_RECIPIENTS, MAX_SHARING } from '../limits-of-reports.js';
import { paragraphsOf, textsAbout, withoutQuotes } from '../paragraphs.js';
import type { Report } from '../report.js';
import type { ReportMail } from '../report-mail.js';
import { stageOf } from '../stage-of.js';

/** Delivery status notifications (RFC 3464, RFC 6533), also those whose fields stand in the text for people. */
export function deliveryStatus({ deliveryStatus: texts, notice, returned }: ReportMail): readonly Report[] | undefined {
  const given = texts.length > 0 ? texts : IN_TEXT.test(notice) ? [notice] : [];
  const recipients = given.flatMap((text) => recipientsIn(fieldGroups(text))).slice(0, MAX_RECIPIENTS);
  if (recipients.length === 0) return undefined;
  const isOnly = recipients.length === 1;
  const title = fieldValue(returned, 'subject');
  const paragraphs = paragraphsOf(notice, () => true);
  const unquoted = recipients.length <= MAX_SHARING ? withoutQuotes(notice, title) : undefined;
  const around = { notice, unquoted, title, paragraphs, isOnly };
  return recipients.map((fields) => reportOf(fields, around));
}

const IN_TEXT = /^Final-Recipient[ \t]*:[^\n]*\n(?:[^\n]*\n){0,8}?(?:Action|Status)[ \t]*:/im;
const OF_RECIPIENT: readonly string[] = ['final-recipient', 'original-recipient'];
/** RFC 3464 section 2.3.3. */
const KINDS: Readonly<Record<string, Report['kind']>> = {
  failed: 'bounced',
  delayed: 'deferred',
  delivered: 'delivered',
  expanded: 'delivered',
  relayed: 'noted',
};

/** The fields of each recipient. Some programs leave out the empty lines between them. */
function recipientsIn(groups: readonly Field[][]): Field[][] {
  const recipients: Field[][] = [];
  for (const group of groups) {
    let fields: Field[] = [];
    for (const field of group) {
      if (OF_RECIPIENT.includes(field.name) && fieldValue(fields, field.name) !== undefined) {
        recipients.push(fields);
        fields = [];
      }
      fields.push(field);
    }
    recipients.push(fields);
  }
  return recipients.filter((fields) => fields.some(({ name }) => OF_RECIPIENT.includes(name)));
}

interface Around {
  notice: string;
  /** The notice without quotes of the returned message; undefined with many recipients. */
  unquoted: string | undefined;
  /** Subject of the returned message. */
  title: string | undefined;
  paragraphs: ReadonlyMap<string, string>;
  /** True if the report is about no other recipient. */
  isOnly: boolean;
}

function reportOf(fields: readonly Field[], { notice, unquoted, title, paragraphs, isOnly }: Around): Report {
  const final = addressOf(fieldValue(fields, 'final-recipient'));
  const original = addressOf(fieldValue(fields, 'original-recipient'));
  const recipient = final ?? original;
  const status = /[245]\.\d{1,3}\.\d{1,3}/.exec(fieldValue(fields, 'status') ?? '')?.[0];
  const diagnostic = fieldValue(fields, 'diagnostic-code')?.replace(/^[\w-]{1,20}[ \t]*;[ \t]*/, '');
  const remoteMta = fieldValue(fields, 'remote-mta')
    ?.replace(/^[\w-]{1,20}[ \t]*;[ \t]*/, '')
    .slice(0, 255);
  const found = {
    ...(recipient !== undefined && { recipient }),
    ...(original !== undefined && original !== recipient && { originalRecipient: original }),
    ...(status !== undefined && { status }),
    ...(remoteMta && { remoteMta }),
  };
  const kind = kindOf(fieldValue(fields, 'action'), status);
  const paragraph = recipient === undefined ? undefined : paragraphs.get(recipient.toLowerCase());
  // The field may leave out the command that was refused.
  const stage = stageOf(diagnostic ?? '') ?? stageOf(paragraph ?? (isOnly ? notice : ''));
  const texts = textsAbout(paragraph, notice, isOnly, title);
  return bounceReport({ kind, ...found, ...(stage && { stage }) }, diagnostic, texts, unquoted);
}

/** Without an action, which is required, the status says it. */
function kindOf(action: string | undefined, status: string | undefined): Report['kind'] {
  const word = /^[a-z]+/i.exec(action ?? '')?.[0].toLowerCase() ?? '';
  if (Object.hasOwn(KINDS, word)) return KINDS[word] as Report['kind'];
  return status?.startsWith('2') ? 'delivered' : status?.startsWith('4') ? 'deferred' : 'bounced';
}
