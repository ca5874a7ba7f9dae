import { Fragment, type ReactNode } from 'react';
import { ApiProblem } from '../api/client';
import { Empty } from './empty';
import { Problem } from './problem';
import { DetailSkeleton } from './skeleton';
import './detail-screen.css';

/** Facts by their names, in the order in which they are shown. `false` leaves one out. */
export type Facts = Readonly<Record<string, ReactNode>>;

interface Detail {
  /** Shown in its own line above the title. */
  lead?: ReactNode;
  title: ReactNode;
  /** Shown next to the title: states, buttons. */
  aside?: ReactNode;
  facts: Facts;
  content: ReactNode;
}

interface DetailScreenProps<Value> {
  query: { data: Value | undefined; error: unknown; refetch: () => unknown };
  /** Start of the sentence for a failed read: "The topic could not be read". */
  failure: string;
  /** Shown for a 404 of the API. Default: the failure. */
  missing?: { title: string; text: string };
  children: (value: Value) => Detail;
}

/** One object with its title, facts and content after it was read; before that, its loading state or failure. */
export function DetailScreen<Value>({ query, failure, missing, children }: DetailScreenProps<Value>) {
  const { data, error, refetch } = query;
  if (data === undefined) {
    if (missing && error instanceof ApiProblem && [404, 422].includes(error.status)) {
      return (
        <Empty title={missing.title}>
          <p>{missing.text}</p>
        </Empty>
      );
    }
    if (error) return <Problem what={failure} error={error} onRetry={() => void refetch()} />;
    return <DetailSkeleton />;
  }
  const { lead, title, aside, facts, content } = children(data);
  return (
    <article className="detail stack">
      <header className="stack">
        {lead}
        <div className="bar">
          <h2>{title}</h2>
          {aside}
        </div>
        <dl>
          {Object.entries(facts).map(
            ([name, value]) =>
              value !== false && (
                <Fragment key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </Fragment>
              ),
          )}
        </dl>
      </header>
      {content}
    </article>
  );
}
