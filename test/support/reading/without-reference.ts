const FIELD = 'X-Email-Ref: ';

/** A sent message without the field of the return path, as `/source` gives it: its token must not be shown, since reports to it count. */
export function withoutReference(raw: Buffer): Buffer {
  expect(raw.toString('latin1', 0, FIELD.length)).toBe(FIELD);
  return raw.subarray(raw.indexOf('\n') + 1);
}
