import { passes, ruleDecorator } from '../../../shared/validation/rule.js';

/** Name for `cid:…` references in html: 1 to 128 characters that need no quoting anywhere. */
export function isContentId(value: unknown): value is string {
  return typeof value === 'string' && CONTENT_ID.test(value);
}

/** A content id that needs no quoting anywhere. */
export const IsContentId = () =>
  ruleDecorator('isContentId', passes(isContentId, 'must have 1 to 128 characters of `A-Z a-z 0-9 . _ @ + -`'), {
    type: 'string',
    maxLength: 128,
  });

/** The id in `cid:id` (RFC 2392), in `<id>` (RFC 2045 section 7) and in both at once; anything else as it is. */
export function idWithin(value: unknown): unknown {
  const [, ...ids] = (typeof value === 'string' && IN_SOMETHING.exec(value)) || [];
  return ids.find((id) => id !== undefined) ?? value;
}

const CONTENT_ID = /^[\w.@+-]{1,128}$/;
const IN_SOMETHING = /^(?:cid:<([^<>]*)>|cid:([^<>]*)|<(?:cid:)?([^<>]*)>)$/i;
