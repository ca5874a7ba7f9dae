import { type ReactNode, useId } from 'react';
import './field.css';

/** Ties a control to its label, hint and problem. */
export interface FieldIds {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean;
}

interface FieldProps {
  label: string;
  /** Problem of the entered value. */
  error?: string | undefined;
  hint?: string | undefined;
  /** Receives the id for the label, and the ids of the hint and the error. */
  children: (ids: FieldIds) => ReactNode;
}

/** A field with its label, a hint and its problem. */
export function Field({ label, error, hint, children }: FieldProps) {
  const id = useId();
  const described = error !== undefined || hint !== undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': described ? `${id}-more` : undefined, 'aria-invalid': error !== undefined })}
      {described && (
        <span id={`${id}-more`} aria-live="polite" className={error === undefined ? 'soft' : 'error'}>
          {error ?? hint}
        </span>
      )}
    </div>
  );
}
