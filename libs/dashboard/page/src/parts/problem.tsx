import { ApiProblem } from '../api/client';
import './problem.css';

interface ProblemProps {
  /** The failed task, as the beginning of a sentence: "The emails could not be listed". */
  what: string;
  error: unknown;
  /** Meaning for the emails, if there is one. */
  meaning?: string | undefined;
  onRetry?: () => void;
}

/** A problem, its meaning, and the next step. */
export function Problem({ what, error, meaning, onRetry }: ProblemProps) {
  const message = error instanceof ApiProblem ? error.message : 'Something in this page went wrong.';
  return (
    <div className="problem" role="alert">
      <p>
        <strong>{what}.</strong> {message}
      </p>
      {meaning !== undefined && <p>{meaning}</p>}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
