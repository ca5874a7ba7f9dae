/** First bytes of the image formats that every browser shows, at their offsets. */
const SIGNATURES: readonly (readonly [type: string, bytes: string, at: number])[] = [
  ['image/png', '89504e470d0a1a0a', 0],
  ['image/jpeg', 'ffd8ff', 0],
  ['image/gif', '474946383961', 0],
  ['image/gif', '474946383761', 0],
  ['image/webp', '57454250', 8],
];

/** Type of an image by its first bytes, never by its declared type. Undefined: nothing that the page may show. */
export function thumbnailType(content: Uint8Array): string | undefined {
  const head = Buffer.from(content.subarray(0, 12)).toString('hex');
  return SIGNATURES.find(([, bytes, at]) => head.startsWith(bytes, at * 2))?.[0];
}
