import { type ReactNode, useId } from 'react';
import './check.css';

interface CheckProps {
  label: ReactNode;
  /** Meaning of the choice. */
  hint?: ReactNode;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}

/** A box to tick, with its label and a hint. */
export function Check({ label, hint, isChecked, onChange }: CheckProps) {
  const id = useId();
  return (
    <div className="check">
      <input
        id={id}
        type="checkbox"
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        checked={isChecked}
        onChange={({ target }) => onChange(target.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint !== undefined && (
          <div id={`${id}-hint`} className="soft">
            {hint}
          </div>
        )}
      </div>
    </div>
  );
}
