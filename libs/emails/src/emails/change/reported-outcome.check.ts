import { BOUNCE_SUB_TYPES, BOUNCE_TYPES } from '../../shared/replies/bounce.js';
import { wrongAccountId } from '../../shared/text/account-id.js';
import type { ReportedOutcome } from '../ports/reported-outcome.js';
import { REASON_CODE } from '../states/reason-codes.js';
import { REPORT_SOURCES } from '../states/report-sources.js';
import { REPORTED_KINDS } from '../states/reported-kinds.js';

const isText = (value: unknown) => typeof value === 'string';
const areTexts = (value: unknown) => Array.isArray(value) && value.every(isText);
const isIndex = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;
const isFlag = (value: unknown) => typeof value === 'boolean';
const optional = (holds: (value: unknown) => boolean) => (value: unknown) => value === undefined || holds(value);
const isOneOf = (words: readonly string[]) => (value: unknown) => isText(value) && words.includes(value as string);

const RULES: Readonly<Record<keyof ReportedOutcome, { holds: (value: unknown) => boolean; must: string }>> = {
  emailId: { holds: isText, must: 'be a string' },
  accountId: { holds: optional((value) => wrongAccountId(value) === undefined), must: 'be the id of an account' },
  recipient: {
    holds: optional((value) => isText(value) || areTexts(value)),
    must: 'be a string or a list of strings',
  },
  recipientIndex: { holds: optional(isIndex), must: 'be a whole number from 0 on' },
  mayBeUnnamed: { holds: optional(isFlag), must: 'be true or false' },
  kind: { holds: isOneOf(Object.keys(REPORTED_KINDS)), must: `be one of ${Object.keys(REPORTED_KINDS).join(', ')}` },
  source: { holds: isOneOf(REPORT_SOURCES), must: `be one of ${REPORT_SOURCES.join(', ')}` },
  code: {
    holds: optional((value) => isText(value) && REASON_CODE.test(value as string)),
    must: 'have 1 to 50 characters of a-z, 0-9 and _',
  },
  reply: { holds: optional(isText), must: 'be a string' },
  bounce: { holds: optional(isBounce), must: 'have a `type` and a `subType` of bounces' },
};

/** @throws TypeError that names the field and says what would be right, for an unknown field too */
export function checkReport(outcome: ReportedOutcome): void {
  for (const [field, { holds, must }] of Object.entries(RULES)) {
    if (!holds(outcome?.[field as keyof ReportedOutcome]))
      throw new TypeError(`\`${field}\` of a report must ${must}.`);
  }
  const { recipient, recipientIndex, mayBeUnnamed } = outcome;
  if (recipient === undefined && recipientIndex === undefined && !mayBeUnnamed) {
    throw new TypeError('`recipient` of a report must be a string or a list of strings.');
  }
  const unknown = Object.keys(outcome).find((field) => !Object.hasOwn(RULES, field));
  if (unknown !== undefined) {
    throw new TypeError(`\`${unknown}\` is no field of a report. Its fields are ${Object.keys(RULES).join(', ')}.`);
  }
}

function isBounce(value: unknown): boolean {
  const { type, subType, operator } = (value ?? {}) as { type?: unknown; subType?: unknown; operator?: unknown };
  const isWord = optional((word) => isText(word) && REASON_CODE.test(word as string));
  return isOneOf(BOUNCE_TYPES)(type) && isOneOf(BOUNCE_SUB_TYPES)(subType) && isWord(operator);
}
