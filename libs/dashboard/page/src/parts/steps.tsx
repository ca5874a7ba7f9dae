import type { ReactNode } from 'react';
import type { Look } from './badge';
import './steps.css';

/** A timeline: its steps in order, the newest last. */
export function Steps({ children }: { children: ReactNode }) {
  return <ol className="steps">{children}</ol>;
}

interface StepProps {
  look: Look;
  /** The exact time, the time since the step before, the attempt. */
  time: ReactNode;
  /** The meaning of the step, and the words of a server. */
  children?: ReactNode;
}

/** One step with its icon, word and time. */
export function Step({ look: { icon: Icon, word, tone }, time, children }: StepProps) {
  return (
    <li>
      <span className={`dot ${tone}`}>
        <Icon className="icon" size={13} strokeWidth={2.25} aria-hidden="true" />
      </span>
      <div>
        <div className="step-head">
          <strong>{word}</strong>
          <span className="step-time">{time}</span>
        </div>
        {children}
      </div>
    </li>
  );
}
