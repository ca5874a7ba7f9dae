/** Size of a file, at most. Bytes. */
export const MAX_BYTES = 50_000_000;

/** The text of a file: UTF-8, or UTF-16 as spreadsheets mark it. */
export async function textOf(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isWide ? 'utf-16le' : 'utf-8').decode(bytes);
}
