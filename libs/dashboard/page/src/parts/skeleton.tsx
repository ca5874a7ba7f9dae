import './skeleton.css';

const KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** The shape of a list while its first rows are read. */
export function ListSkeleton() {
  return (
    <div className="skeleton rows" role="status">
      <span className="only-read">Loading</span>
      {KEYS.map((key) => (
        <div key={key}>
          <span className="long" />
          <span className="short" />
        </div>
      ))}
    </div>
  );
}

/** The shape of one object while it is read. */
export function DetailSkeleton() {
  return (
    <div className="skeleton" role="status">
      <span className="only-read">Loading</span>
      <span className="title" />
      {KEYS.slice(0, 4).map((key) => (
        <span key={key} className="long" />
      ))}
      <span className="short" />
    </div>
  );
}
