/** A time for a field of type `datetime-local`, in the reader's zone, to the minute. @param instant milliseconds since 1970 */
export function localTime(instant: number): string {
  const offset = new Date(instant).getTimezoneOffset() * 60_000;
  return new Date(instant - offset).toISOString().slice(0, 16);
}
