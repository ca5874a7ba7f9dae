/** Control characters, and those that turn the direction of writing, with which `cod.exe` can be made to look like `exe.doc`. */
const DECEPTIVE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A name that a stranger gave, as it is written: what would show it otherwise is shown itself, as a replacement character. */
export function plainName(name: string): string {
  return name.replaceAll(DECEPTIVE, '\ufffd');
}
