/** Control characters, and those that change the direction of text, which can make `cod.exe` look like `exe.doc`. */
const DECEPTIVE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A stranger's name in its written order: characters that would change its look become replacement characters. */
export function plainName(name: string): string {
  return name.replaceAll(DECEPTIVE, '\ufffd');
}
