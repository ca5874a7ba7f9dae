import { decoded, type HtmlPart, tagsOf } from './html-tags';

/** Gmail shows no more of a message. Bytes. */
export const GMAIL_LIMIT = 102_000;

/** Images and links are looked for in so much of the html, about 0.1 s of work. Characters. */
export const CHECKED = 1_000_000;

const LINK_TEXT = 200;

export type LinkProblem = 'empty' | 'insecure' | 'relative' | 'unsupported' | 'other_address';

export interface CheckedLink {
  text: string;
  target: string;
  problem: LinkProblem | undefined;
}

export interface MessageChecks {
  /** Size of the html. Bytes. */
  size: number;
  isClipped: boolean;
  /** Own: written by the sender. Derived: made of the html. Missing: switched off. */
  textPart: 'own' | 'derived' | 'missing';
  images: number;
  imagesWithoutAlt: number;
  /** Images of other servers. Undefined if it is not known how many: styles have some, or only a part was checked. */
  remoteImages: number | undefined;
  links: readonly CheckedLink[];
  badLinks: number;
  /** True if images and links of only a part were looked for. */
  isCut: boolean;
}

/** Checks of a message by its text alone: nothing is fetched, and no document is built. */
export function checkMessage(html: string | null, text: string | null): MessageChecks {
  const checked = (html ?? '').slice(0, CHECKED);
  const size = new TextEncoder().encode(html ?? '').length;
  const links: CheckedLink[] = [];
  let images = 0;
  let imagesWithoutAlt = 0;
  let remoteImages = 0;
  let open: { target: string; text: string; from: number } | undefined;
  const close = () => {
    if (open) links.push(linkOf(open.text, open.target));
    open = undefined;
  };
  for (const part of tagsOf(checked)) {
    if (open) open.text = withText(open.text, checked.slice(open.from, part.start));
    if (part.name === 'a' || part.name === '/a') close();
    const target = attributeOf(part, 'href');
    if (part.name === 'a' && target !== undefined) open = { target, text: '', from: part.end };
    if (part.name === 'area' && target !== undefined) links.push(linkOf(attributeOf(part, 'alt') ?? '', target));
    if (part.name === 'img') {
      const alt = attributeOf(part, 'alt');
      images += 1;
      if (alt === undefined) imagesWithoutAlt += 1;
      if (open && alt) open.text = withText(open.text, alt);
    }
    if (hasRemoteImage(part)) remoteImages += 1;
    if (open) open.from = part.end;
  }
  if (open) open.text = withText(open.text, checked.slice(open.from));
  close();
  const isCut = (html ?? '').length > CHECKED;
  return {
    size,
    isClipped: size > GMAIL_LIMIT,
    textPart: text ? 'own' : text === null && html ? 'derived' : 'missing',
    images,
    imagesWithoutAlt,
    remoteImages: isCut || STYLED_IMAGE.test(checked) ? undefined : remoteImages,
    links,
    badLinks: links.filter(({ problem }) => problem !== undefined).length,
    isCut,
  };
}

/** Number of checks that need attention. */
export function problemsIn({ isClipped, textPart, imagesWithoutAlt, badLinks }: MessageChecks): number {
  return [isClipped, textPart === 'missing', imagesWithoutAlt > 0, badLinks > 0].filter(Boolean).length;
}

const REMOTE = /^\s*(?:https?:)?\/\//i;
const STYLED_IMAGE = /url\(\s{0,9}["']?\s{0,9}(?:https?:)?\/\//i;
const HAVE_IMAGES: ReadonlySet<string> = new Set([
  'img',
  'source',
  'input',
  'video',
  'image',
  'body',
  'table',
  'tr',
  'td',
  'th',
]);
const LOADS: ReadonlySet<string> = new Set(['src', 'srcset', 'background', 'poster']);

function hasRemoteImage({ name: tag, attributes }: HtmlPart): boolean {
  if (!HAVE_IMAGES.has(tag)) return false;
  return attributes.some(
    ({ name, value }) => (LOADS.has(name) || (tag === 'image' && name.endsWith('href'))) && REMOTE.test(value),
  );
}

function attributeOf({ attributes }: HtmlPart, name: string): string | undefined {
  return attributes.find((attribute) => attribute.name === name)?.value;
}

function withText(before: string, html: string): string {
  if (before.length >= LINK_TEXT) return before;
  return `${before}${decoded(html.slice(0, 10 * LINK_TEXT)).replace(/\s+/g, ' ')}`.slice(0, LINK_TEXT);
}

function linkOf(text: string, written: string): CheckedLink {
  const target = written.trim();
  const shown = text.trim();
  return { text: shown, target, problem: problemOf(shown, target) };
}

/** A host, with or without a scheme and a path, as people write them: `www.example.com/orders`. */
const SHOWN_ADDRESS = /^(?:https?:\/\/)?((?:[\p{L}\d-]+\.)+\p{L}{2,})(?::\d+)?(?:[/?#]\S*)?$/iu;

function problemOf(text: string, target: string): LinkProblem | undefined {
  if (target === '' || target === '#') return 'empty';
  if (target.startsWith('#')) return undefined;
  const [, scheme] = /^([a-z][a-z\d+.-]*):/i.exec(target) ?? [];
  if (scheme === undefined) return 'relative';
  if (/^(?:mailto|tel|sms|cid)$/i.test(scheme)) return undefined;
  if (!/^https?$/i.test(scheme)) return 'unsupported';
  const host = hostOf(target);
  if (host === undefined) return 'relative';
  const shown = SHOWN_ADDRESS.exec(text)?.[1];
  if (shown !== undefined && hostOf(`http://${shown}`) !== host) return 'other_address';
  return scheme.toLowerCase() === 'http' ? 'insecure' : undefined;
}

function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname.replace(/^www\./, '') : undefined;
}
