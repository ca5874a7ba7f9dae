import { isLongerThan } from '../shared/text/text-rules.js';
import { optional, required } from '../shared/validation/field.js';
import { Fields } from '../shared/validation/fields.js';
import { mailbox } from '../shared/validation/mailbox-rule.js';
import { repeated } from '../shared/validation/repeated.js';
import { line, list, matching, oneOf, passes, type Rule, text } from '../shared/validation/rule.js';
import { isAlias } from './is-alias.js';
import { templateText } from './template-text-rule.js';

const MAX_MAILBOXES = 50;
/** Of a fallback, as of the values that emails give (contract, section 2.1). */
const MAX_CHARACTERS = 2_000;

const oneMailbox = mailbox('must be one mailbox such as `name@example.com` or `Name <name@example.com>` per string');

/** Each in a text of its own. */
const mailboxes: Rule<string[]> = (value, among) => {
  if (!Array.isArray(value)) return 'must be a mailbox or an array of mailboxes';
  if (value.length > MAX_MAILBOXES) return `takes up to ${MAX_MAILBOXES} mailboxes`;
  return value.map((item) => oneMailbox(item, among)).find((wrong) => wrong !== undefined);
};

/** Of the type that is declared beside it. */
const fallback: Rule<string | number> = (value, { type }) => {
  if (type === 'number') return Number.isFinite(value) ? undefined : 'must be a finite number, as `type` says';
  return typeof value === 'string' && !isLongerThan(value, MAX_CHARACTERS)
    ? undefined
    : `must be a string of up to ${MAX_CHARACTERS} characters, as \`type\` says`;
};

/** What a template may say, on creation and on change. */
const content = {
  alias: optional(passes(isAlias, 'must have 1 to 255 letters, digits, hyphens and underscores, and not be a uuid')),
  from: optional(oneMailbox),
  subject: optional(templateText({ oneLine: true, maxCharacters: 998 })),
  reply_to: optional(mailboxes, { listsOne: true }),
  html: optional(templateText()),
  /** Empty on creation: no text part is derived from `html` (contract, section 2.1). */
  text: optional(templateText(), { keepsEmpty: true }),
  variables: optional(list('must be an array of `{key, type, fallback_value}`')),
};

/** The body of `POST /templates`. */
export const newTemplate = new Fields({ name: required(line(255)), ...content });

/** The body of `PATCH /templates/:id_or_alias`. Null clears every field but the name. */
export const templateChanges = new Fields({
  name: optional(line(255)),
  ...content,
  id: optional(repeated),
  template_id: optional(repeated),
});

/** An entry of `variables`. Without a fallback, every email must give a value. What an answer adds may be sent back. */
export const templateVariable = new Fields({
  key: required(matching(/^[A-Za-z0-9_]{1,50}$/, 'must have 1 to 50 letters, digits and underscores')),
  type: required(oneOf(['string', 'number'], 'must be `string` or `number`')),
  fallback_value: optional(fallback, { spellings: ['fallbackValue'] }),
  id: optional(text),
  created_at: optional(text),
  updated_at: optional(text),
});

/** The body of a request that says everything in its path. */
export const noFields = new Fields({});
