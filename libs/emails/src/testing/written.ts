/** The format of times in the contract (section 3). */
export function written(time: Date): string {
  return time.toISOString().replace('T', ' ').replace('Z', '000+00');
}

/** Parses a time that `written` formatted. */
export function timeOf(text: string): Date {
  return new Date(text.replace(/^(\S+) (\d\d:\d\d:\d\d\.\d{3}).*$/, '$1T$2Z'));
}
