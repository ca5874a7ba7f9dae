/** An instant as the value of `<input type="datetime-local">`: `2026-11-26T22:35`, in the reader's zone. */
export function localTimeOf(instant: Date): string {
  const local = new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** The instant of such a value in ISO 8601; undefined for an incomplete one. */
export function instantOfLocal(value: string): string | undefined {
  const instant = new Date(value);
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString();
}
