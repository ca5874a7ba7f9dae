import { defaulting, optional, required } from '../../../shared/validation/field.js';
import { Fields, part, parts } from '../../../shared/validation/fields.js';
import { anything, matching, passes, type Rule, text, textUpTo, uuid } from '../../../shared/validation/rule.js';
import { idWithin, isContentId } from '../attachments/content-id.js';
import { isFilename, isMediaType, withPlainParameters } from '../attachments/media-type.js';
import type { AttachmentRequest, EmailRequest, TagRequest, TemplateRequest } from './email-request.js';
import { wrongSubject } from './header-text.js';
import { additionalHeaders, numbersAsTexts } from './headers-rule.js';
import { mailboxes, oneMailbox } from './mailbox-rules.js';
import { messageId } from './message-id-rule.js';
import { scheduledAt } from './scheduled-at.js';
import { tagsOfObject } from './tags-of-object.js';
import { templateVariables } from './template-variables-rule.js';

const TEMPLATE_KEY = 'must be the id or alias of a published template';

const template = new Fields<TemplateRequest>({
  id: required(textUpTo(255, TEMPLATE_KEY)),
  variables: defaulting(() => ({}), templateVariables),
});

/** An entry of `attachments` (contract, section 2.2). `content` is decoded, and `path` fetched, by the acceptance. */
const attachment = new Fields<AttachmentRequest>({
  content: optional(anything),
  path: optional(textUpTo(2_048, 'takes up to 2048 characters')),
  filename: optional(passes(isFilename, 'must have 1 to 255 characters without `/`, `\\` and control characters')),
  content_type: optional(
    passes(isMediaType, 'must be `type/subtype` with optional parameters, such as `charset=utf-8`, not `multipart/*`'),
    { spellings: ['contentType'], reads: withPlainParameters },
  ),
  content_id: optional(passes(isContentId, 'must have 1 to 128 characters of `A-Z a-z 0-9 . _ @ + -`'), {
    spellings: ['contentId', 'inline_content_id', 'inlineContentId'],
    reads: idWithin,
  }),
});

const tag = new Fields<TagRequest>({
  name: required(matching(/^[A-Za-z0-9_-]{1,256}$/, 'must have 1 to 256 characters of `A-Z a-z 0-9 _ -`')),
  value: defaulting(
    () => '',
    matching(/^[A-Za-z0-9_-]{0,256}$/, 'must have up to 256 characters of `A-Z a-z 0-9 _ -`'),
  ),
});

const uniqueNames: Rule<unknown> = (tags) => {
  const names = (tags as readonly TagRequest[]).map(({ name }) => name);
  return new Set(names).size === names.length ? undefined : 'must have unique names';
};

const subject: Rule<string> = wrongSubject;

/** The body of `POST /emails` (contract, section 2.1). */
export const emailFields = new Fields<EmailRequest>({
  from: optional(oneMailbox),
  to: required(mailboxes, { listsOne: true }),
  cc: defaulting(() => [], mailboxes, { listsOne: true }),
  bcc: defaulting(() => [], mailboxes, { listsOne: true }),
  reply_to: defaulting(() => [], mailboxes, { listsOne: true }),
  subject: optional(subject),
  html: optional(text),
  text: optional(text, { keepsEmpty: true }),
  template: part(template, 'an object with `id` and optional `variables`'),
  headers: defaulting(() => ({}), additionalHeaders, { reads: numbersAsTexts }),
  message_id: optional(messageId),
  scheduled_at: optional(scheduledAt),
  attachments: parts(attachment, { expected: 'an array of up to 1000 attachments', max: 1_000 }),
  tags: parts(tag, {
    expected: 'up to 75 tags, as an array of `{name, value}` or as an object of names and values',
    max: 75,
    rule: uniqueNames,
    reads: tagsOfObject,
  }),
  topic_id: optional(uuid('must be the uuid of a topic')),
});
