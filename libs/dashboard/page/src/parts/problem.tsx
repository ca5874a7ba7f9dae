import { CircleAlert, RotateCw } from 'lucide-react';
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
        <CircleAlert className="icon" size={16} aria-hidden="true" /> <strong>{what}.</strong> {message}
      </p>
      {meaning !== undefined && <p>{meaning}</p>}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          <RotateCw className="icon" size={14} aria-hidden="true" /> Try again
        </button>
      )}
    </div>
  );
}
