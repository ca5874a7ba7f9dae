/** An attribute of a tag, with its place in the html. */
export interface HtmlAttribute {
  /** In lower case. */
  name: string;
  /** With its character references decoded. Empty without a value. */
  value: string;
  start: number;
  nameEnd: number;
  end: number;
}

/** A tag or a comment, with its place in the html. Everything between two of them is text. */
export interface HtmlPart {
  kind: 'comment' | 'tag';
  start: number;
  end: number;
  /** Name of a tag in lower case, with a slash in front of an end tag's. Empty for a comment. */
  name: string;
  attributes: readonly HtmlAttribute[];
}

/** A tag's name, or an end tag's. */
const NAME = /<(\/?[a-z][^\s/>]*)/iy;
const ATTRIBUTE = /([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/y;
const BETWEEN = /[\s/=]*/y;

/** Elements whose content is text, whatever it looks like. */
const RAW: ReadonlyMap<string, RegExp> = new Map(
  ['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes'].map((name) => [
    name,
    new RegExp(`</${name}(?=[\\s/>])`, 'gi'),
  ]),
);

/**
 * Tags and comments of html, in order. It reads the text and builds no document, so that nothing of an email runs or
 * loads. Its time is linear.
 */
export function* tagsOf(html: string): Generator<HtmlPart> {
  for (let at = html.indexOf('<'); at >= 0; ) {
    const part = partAt(html, at);
    if (!part) {
      at = html.indexOf('<', at + 1);
      continue;
    }
    yield part;
    at = html.indexOf('<', rawEnd(html, part));
  }
}

function partAt(html: string, start: number): HtmlPart | undefined {
  const next = html.charAt(start + 1);
  if (next === '!' || next === '?')
    return { kind: 'comment', start, end: commentEnd(html, start), name: '', attributes: [] };
  NAME.lastIndex = start;
  const name = NAME.exec(html)?.[1];
  if (name === undefined) return undefined;
  const attributes: HtmlAttribute[] = [];
  let end = start + 1 + name.length;
  for (;;) {
    BETWEEN.lastIndex = end;
    BETWEEN.exec(html);
    ATTRIBUTE.lastIndex = BETWEEN.lastIndex;
    const found = ATTRIBUTE.exec(html);
    if (!found) {
      end = Math.min(BETWEEN.lastIndex + 1, html.length);
      return { kind: 'tag', start, end, name: name.toLowerCase(), attributes };
    }
    const [all, key = '', double, single, bare] = found;
    end = found.index + all.length;
    const value = decoded(double ?? single ?? bare ?? '');
    attributes.push({ name: key.toLowerCase(), value, start: found.index, nameEnd: found.index + key.length, end });
  }
}

function commentEnd(html: string, start: number): number {
  const [mark, after] = html.startsWith('<!--', start) ? ['-->', start + 4] : ['>', start + 2];
  const end = html.indexOf(mark, after);
  return end < 0 ? html.length : end + mark.length;
}

/** The place from which tags are looked for again. */
function rawEnd(html: string, { name, end }: HtmlPart): number {
  const close = RAW.get(name);
  if (!close) return end;
  close.lastIndex = end;
  return close.exec(html)?.index ?? html.length;
}

const REFERENCES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

/** Text of html, with its most common character references decoded. */
export function decoded(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));?/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return REFERENCES[name.toLowerCase()] ?? all;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
  });
}
