import { COUNTS } from './series';
import { TEXTS } from './texts';

/** The shape of the numbers and of their chart while they are read. */
export function MetricsSkeleton() {
  return (
    <div className="skeleton metrics-skeleton" role="status">
      <span className="only-read">{TEXTS.loading}</span>
      <div className="metrics-figures">
        {COUNTS.map((name) => (
          <div key={name}>
            <span className="short" />
            <span className="title" />
          </div>
        ))}
      </div>
      <div className="metrics-place" />
    </div>
  );
}
