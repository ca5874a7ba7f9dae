import { setImmediate } from 'node:timers/promises';
import { endOfSlice } from './frame-slices.js';

/** An image of a message. */
export interface InlineImage {
  contentType: string;
  content: Uint8Array;
}

/** A reference in html to a part of the same message (RFC 2392). */
const REFERENCE = /\bcid:([^\s"'<>()]{1,998})/gi;
const LONGEST_REFERENCE = 1_002;

/** Limit of all images in an answer, counted for each use. Characters. */
export const IMAGES_ROOM = 20_000_000;

/** Bytes of an image in one piece, a multiple of three, so that pieces share no base64 group. */
const PIECE = 3 * 32_768;

const IMAGE = /^image\/[\w.+-]+$/i;

/** The ids of referenced parts in html, each once. */
export async function referredIds(html: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const { reference } of references(html)) {
    if (reference === undefined) await setImmediate();
    else ids.add(idOf(reference));
  }
  return ids;
}

/**
 * Embeds the images of a message into its html as `data:` addresses, the only way for a frame without an origin. A file
 * that is not an image, is missing, or exceeds the limit stays a dead reference. The html is made in pieces, so that it
 * is never in memory as a whole.
 *
 * @param images by the ids of `referredIds`
 */
export function* withInlineImages(html: string, images: ReadonlyMap<string, InlineImage>): Generator<string> {
  let room = IMAGES_ROOM;
  let written = 0;
  for (const { start, end, reference } of references(html)) {
    const image = reference === undefined ? undefined : images.get(idOf(reference));
    const length = image && isImage(image) ? addressLength(image) : Number.POSITIVE_INFINITY;
    if (image && length <= room) {
      room -= length;
      yield html.slice(written, start);
      yield* address(image);
      written = end;
    } else if (reference === undefined) {
      yield html.slice(written, end);
      written = end;
    }
  }
}

/** Characters of an embedded image. */
export function addressLength({ contentType, content }: { contentType: string; content: { length: number } }): number {
  return 'data:;base64,'.length + contentType.length + Math.ceil(content.length / 3) * 4;
}

interface Reference {
  start: number;
  end: number;
  /** Undefined at the end of a slice without a reference. */
  reference: string | undefined;
}

/** Lists the references in html, in slices of it. */
function* references(html: string): Generator<Reference> {
  for (let start = 0; start < html.length; ) {
    const sliceEnd = endOfSlice(html, start);
    // The text before a reference decides whether it is one, and a reference may reach into the next slice.
    const before = Math.max(start - 1, 0);
    let end = sliceEnd;
    for (const match of html.slice(before, sliceEnd + LONGEST_REFERENCE).matchAll(REFERENCE)) {
      const at = before + match.index;
      if (at >= sliceEnd) break;
      if (at < start) continue;
      end = Math.max(end, at + match[0].length);
      yield { start: at, end: at + match[0].length, reference: match[1] };
    }
    yield { start: end, end, reference: undefined };
    start = end;
  }
}

/** Without the brackets of a header, and with the escapes of an address decoded. */
export function idOf(reference: string): string {
  const bare = reference.replace(/^<|>$/g, '');
  try {
    return decodeURIComponent(bare);
  } catch {
    return bare;
  }
}

function isImage({ contentType }: InlineImage): boolean {
  return IMAGE.test(contentType);
}

function* address({ contentType, content }: InlineImage): Generator<string> {
  yield `data:${contentType.toLowerCase()};base64,`;
  for (let at = 0; at < content.length; at += PIECE) {
    yield Buffer.from(content.subarray(at, at + PIECE)).toString('base64');
  }
}
