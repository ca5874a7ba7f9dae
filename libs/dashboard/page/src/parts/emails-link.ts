/** Filters of the list of emails, by the names that its search understands. */
export interface EmailsFilter {
  to?: string;
  from?: string;
  /** `name` or `name:value`. */
  tag?: string;
  /** The id of a topic. */
  topic?: string;
  /** The name of one of several transports. */
  transport?: string;
  state?: readonly string[];
  after?: Date;
  before?: Date;
}

/** The list of the emails that match, as a path below the mount path. */
export function emailsLink({ state, after, before, ...addresses }: EmailsFilter): string {
  const parts = {
    ...addresses,
    state: state?.join(','),
    after: after && minuteOf(after),
    before: before && minuteOf(before),
  };
  const words = Object.entries(parts).filter(([, value]) => value !== undefined);
  const q = words.map(([name, value]) => `${name}:${quoted(String(value))}`).join(' ');
  return `/emails?${new URLSearchParams({ q })}`;
}

/** To the minute, in UTC: `2026-11-23T14:35Z`. */
function minuteOf(instant: Date): string {
  return `${instant.toISOString().slice(0, 16)}Z`;
}

/** A value of the search in one piece. `"a b"@c.test` is in one already. */
export function quoted(value: string): string {
  return /\s/.test(value) && !/^"[^"]*"\S+$/.test(value) ? `"${value}"` : value;
}
