import { useNow } from '../hooks/use-now';
import { exactTime, instantOf, relativeTime } from './times';

/** A time relative to now; the exact one on hover, for assistive technology too. Nothing for `null`. */
export function Time({ value }: { value: string | null }) {
  const now = useNow();
  if (value === null) return null;
  const instant = instantOf(value);
  if (Number.isNaN(instant)) return <span>{value}</span>;
  const exact = exactTime(instant);
  return (
    <time dateTime={new Date(instant).toISOString()} title={exact}>
      {relativeTime(instant, now)}
      <span className="only-read"> ({exact})</span>
    </time>
  );
}

/** The exact time, and how long ago it is. */
export function ExactTime({ value }: { value: string }) {
  const now = useNow();
  const instant = instantOf(value);
  if (Number.isNaN(instant)) return <span>{value}</span>;
  return (
    <time dateTime={new Date(instant).toISOString()}>
      {exactTime(instant)} <span className="soft">· {relativeTime(instant, now)}</span>
    </time>
  );
}
