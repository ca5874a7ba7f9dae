/** What html refers to as `cid:…`: 1 to 128 characters that need no quoting anywhere. */
export function isContentId(value: unknown): value is string {
  return typeof value === 'string' && CONTENT_ID.test(value);
}

/** The id in `cid:id` (RFC 2392), in `<id>` (RFC 2045 section 7) and in both at once; anything else as it is. */
export function idWithin(value: unknown): unknown {
  const [, ...ids] = (typeof value === 'string' && IN_SOMETHING.exec(value)) || [];
  return ids.find((id) => id !== undefined) ?? value;
}

const CONTENT_ID = /^[\w.@+-]{1,128}$/;
const IN_SOMETHING = /^(?:cid:<([^<>]*)>|cid:([^<>]*)|<(?:cid:)?([^<>]*)>)$/i;
