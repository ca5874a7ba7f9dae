/** An image that came with a message. */
export interface InlineImage {
  contentType: string;
  content: Uint8Array;
}

/** As html has it of a part of the same message (RFC 2392). */
const REFERENCE = /\bcid:([^\s"'<>()]{1,998})/gi;

/** What all images may come to in an answer, each as often as it is shown. Characters. */
const ROOM = 20_000_000;

const IMAGE = /^image\/[\w.+-]+$/i;

/** The ids of the parts that html refers to, each once. */
export function referredIds(html: string): string[] {
  return [...new Set([...html.matchAll(REFERENCE)].map(([, reference = '']) => idOf(reference)))];
}

/**
 * Puts the images of a message into its html, as `data:` addresses: a frame without an origin can load them in no other way.
 * What is no image, is not there, or has no room any more stays a reference that leads nowhere.
 *
 * @param images by the ids of `referredIds`
 */
export function withInlineImages(html: string, images: ReadonlyMap<string, InlineImage>): string {
  const addresses = new Map([...images].flatMap(([id, image]) => (isImage(image) ? [[id, addressOf(image)]] : [])));
  let room = ROOM;
  return html.replaceAll(REFERENCE, (whole, reference: string) => {
    const address = addresses.get(idOf(reference));
    if (address === undefined || address.length > room) return whole;
    room -= address.length;
    return address;
  });
}

/** Without the brackets that a header has, and as it was before it was written into an address. */
export function idOf(reference: string): string {
  const bare = reference.replace(/^<|>$/g, '');
  try {
    return decodeURIComponent(bare);
  } catch {
    return bare;
  }
}

function isImage({ contentType, content }: InlineImage): boolean {
  return IMAGE.test(contentType) && content.length * 1.4 < ROOM;
}

function addressOf({ contentType, content }: InlineImage): string {
  return `data:${contentType.toLowerCase()};base64,${Buffer.from(content).toString('base64')}`;
}
