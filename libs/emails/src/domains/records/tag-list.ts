/**
 * Reads a list of tags such as `v=DKIM1; k=rsa; p=…` (RFC 6376 section 3.2). Names of tags are case-sensitive; blanks around
 * names and values do not count.
 *
 * @returns undefined for a text that is no such list, or has a tag twice
 */
export function readTags(text: string): ReadonlyMap<string, string> | undefined {
  const tags = new Map<string, string>();
  const parts = text.split(';');
  if (parts.at(-1)?.trim() === '') parts.pop();
  for (const part of parts) {
    const at = part.indexOf('=');
    const name = part.slice(0, at).trim();
    if (at < 0 || !/^[a-z]\w*$/i.test(name) || tags.has(name)) return undefined;
    tags.set(name, part.slice(at + 1).trim());
  }
  return tags;
}
