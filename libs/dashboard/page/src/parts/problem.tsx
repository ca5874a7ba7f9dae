import { ApiProblem } from '../api/client';
import './problem.css';

interface ProblemProps {
  /** What was to be done, as a sentence's beginning: "The emails could not be listed". */
  what: string;
  error: unknown;
  /** What it means for the emails, where it means something. */
  meaning?: string;
  onRetry?: () => void;
}

/** What happened, what it means, and what to do. */
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
