const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000 };
const MAX = 24 * 3_600_000;

/** "try again in 300 seconds", "retry after 5 min", "please wait 1 hour": greylisting servers say it in many ways. */
const WAIT =
  /\b(?:try again|retry|wait|come back)\b[^0-9]{0,40}?(\d{1,6})\s*(s|m|h)(?:ec|ecs|econds?|in|ins|inutes?|ours?|rs?)?\b/i;

/** Returns the wait that the text of a temporary refusal names, in milliseconds, at most a day. */
export function retryAfter(text: string): number | undefined {
  const match = WAIT.exec(text);
  if (!match?.[1] || !match[2]) return undefined;
  return Math.min(Number(match[1]) * (UNITS[match[2].toLowerCase()] ?? 0), MAX);
}
