import { CircleHelp } from 'lucide-react';
import type { ReactNode } from 'react';
import { TEXTS } from '../texts';

const texts = TEXTS.search;

interface SearchProblemProps {
  id: string;
  title: string;
  children: ReactNode;
}

/** Takes the place of the rows: why a search has none, and which searches there are. */
export function SearchProblem({ id, title, children }: SearchProblemProps) {
  return (
    <div className="empty search-problem">
      <span className="picture">
        <CircleHelp className="icon" size={22} strokeWidth={1.75} aria-hidden="true" />
      </span>
      <div id={id} role="status" className="why">
        <h2>{title}</h2>
        <p>{children}</p>
      </div>
      <p className="soft">{texts.help}</p>
      <dl>
        {texts.examples.map(([example, meaning]) => (
          <div key={example}>
            <dt>
              <code>{example}</code>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
