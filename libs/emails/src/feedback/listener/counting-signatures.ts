/** A relay adds one or two. */
const MAX_SIGNATURES = 10;
/** Signatures of named senders that are verified: one for each of two algorithms. */
const MAX_COUNTING = 2;
/** Bytes and lines of a header. The verifier reads one in a time that grows with the square of its lines. */
const MAX_HEADER = 65_536;
const MAX_LINES = 1_000;
/**
 * Bytes of a signature with its tags: a usual one has a thousand at most. The verifier looks for its tag `b` in a time that
 * grows with the square of a run of colons: 60 kB would take 20 seconds.
 */
const MAX_SIGNATURE = 4_096;
/** Lines of a body: the verifier makes objects for each. 1 MB in base64 has 14,000. */
const MAX_BODY_LINES = 32_000;

/** A report with those of its signatures that may count. */
export interface SignedReport {
  /** The message without other signatures (DKIM, RFC 6376; ARC, RFC 8617). */
  message: Buffer;
  /** DNS names of their keys, in lower case (RFC 6376 section 3.6.2.1). */
  keys: string[];
}

/**
 * Keeps the signatures that may count: the first two of named senders, of the whole body. Those of strangers would cost a
 * hash of the body each. A signature that covers a field left out does not verify.
 *
 * @param senders domains in lower case
 * @returns undefined without such a signature, and for a message that takes long to verify
 */
export function countingSignatures(message: Buffer, senders: readonly string[]): SignedReport | undefined {
  const start = message.toString('latin1', 0, MAX_HEADER);
  const end = start.search(/\n\r?\n/);
  if (end === -1 || linesFrom(message, end) > MAX_BODY_LINES) return undefined;
  const lines = start.slice(0, end).split('\n', MAX_LINES + 1);
  if (lines.length > MAX_LINES) return undefined;
  const fields = unfolded(lines);
  if (fields.filter(isSignature).length > MAX_SIGNATURES) return undefined;
  const keys: string[] = [];
  const kept = fields.filter((field) => {
    const name = nameOf(field);
    if (name !== 'dkim-signature') return !name.startsWith('arc-');
    const key = keys.length < MAX_COUNTING ? keyOf(field, senders) : undefined;
    if (key !== undefined) keys.push(key);
    return key !== undefined;
  });
  if (keys.length === 0) return undefined;
  return {
    message: Buffer.concat([Buffer.from(`${kept.join('\r\n')}\r\n`, 'latin1'), message.subarray(end + 1)]),
    keys,
  };
}

/** Lines from a position to the end, counted to the limit. */
function linesFrom(message: Buffer, start: number): number {
  let count = 0;
  for (let at = message.indexOf('\n', start); at >= 0 && count <= MAX_BODY_LINES; at = message.indexOf('\n', at + 1)) {
    count++;
  }
  return count;
}

/** The fields with their further lines. Any white space begins one, as it does for the verifier. */
function unfolded(lines: readonly string[]): string[] {
  const fields: string[] = [];
  for (const line of lines.map((one) => one.replace(/\r$/, ''))) {
    const last = fields.length - 1;
    if (last >= 0 && /^\s/.test(line)) fields[last] += `\r\n${line}`;
    else fields.push(line);
  }
  return fields;
}

function isSignature(field: string): boolean {
  return nameOf(field) === 'dkim-signature';
}

function nameOf(field: string): string {
  return (/^[^:]+/.exec(field)?.[0] ?? '').trim().toLowerCase();
}

/** DNS name of the key of a signature; undefined for one that does not count. */
function keyOf(field: string, senders: readonly string[]): string | undefined {
  if (field.length > MAX_SIGNATURE) return undefined;
  const tags = tagsOf(field.slice(field.indexOf(':') + 1));
  const domain = tags?.get('d')?.toLowerCase();
  const selector = tags?.get('s')?.toLowerCase();
  // A signature of a part (`l=`) lets anybody add to the message.
  if (!tags || tags.has('l') || domain === undefined || !senders.includes(domain)) return undefined;
  return selector !== undefined && /^[a-z0-9._-]{1,200}$/.test(selector)
    ? `${selector}._domainkey.${domain}`
    : undefined;
}

/** Tags with their values, RFC 6376 section 3.2; undefined where the list is invalid, for example with a tag given twice. */
function tagsOf(list: string): Map<string, string> | undefined {
  const tags = new Map<string, string>();
  const parts = list.split(';').map((part) => part.trim());
  if (parts.at(-1) === '') parts.pop();
  for (const part of parts) {
    const [, name = '', value = ''] = /^([a-z][a-z0-9_]*)\s*=\s*(.*)$/is.exec(part) ?? [];
    const key = name.toLowerCase();
    if (key === '' || tags.has(key)) return undefined;
    tags.set(key, value);
  }
  return tags;
}
