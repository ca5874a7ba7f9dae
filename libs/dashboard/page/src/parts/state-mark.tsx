import type { EmailState } from '../api/types';
import './state-mark.css';

interface Mark {
  sign: string;
  word: string;
  tone: string;
}

/** Marks of email states; a missing one does not compile. */
const OF_EMAILS: Readonly<Record<EmailState, Mark>> = {
  scheduled: { sign: '◷', word: 'scheduled', tone: 'neutral' },
  queued: { sign: '○', word: 'queued', tone: 'neutral' },
  sent: { sign: '→', word: 'sent', tone: 'blue' },
  delivered: { sign: '✓', word: 'delivered', tone: 'green' },
  opened: { sign: '✓', word: 'opened', tone: 'green' },
  clicked: { sign: '✓', word: 'clicked', tone: 'green' },
  delivery_delayed: { sign: '◔', word: 'delayed', tone: 'amber' },
  complained: { sign: '✕', word: 'complained', tone: 'red' },
  bounced: { sign: '✕', word: 'bounced', tone: 'red' },
  failed: { sign: '✕', word: 'failed', tone: 'red' },
  canceled: { sign: '–', word: 'canceled', tone: 'neutral' },
  suppressed: { sign: '⊘', word: 'suppressed', tone: 'neutral' },
};

const MARKS: Readonly<Record<string, Mark>> = {
  ...OF_EMAILS,
  pending: { sign: '○', word: 'pending', tone: 'neutral' },
  attempting: { sign: '◔', word: 'trying', tone: 'amber' },
  success: { sign: '✓', word: 'success', tone: 'green' },
  enabled: { sign: '✓', word: 'enabled', tone: 'green' },
  disabled: { sign: '–', word: 'disabled', tone: 'neutral' },
  no_content: { sign: '∅', word: 'No content', tone: 'amber' },
  draft: { sign: '○', word: 'draft', tone: 'neutral' },
  published: { sign: '✓', word: 'published', tone: 'green' },
};

/** A state as a shape, a word and a colour; never a colour alone. An unknown state is shown by its name. */
export function StateMark({ state }: { state: string }) {
  const { sign, word, tone } = MARKS[state] ?? { sign: '•', word: state, tone: 'neutral' };
  return (
    <span className={`state-mark ${tone}`}>
      <span aria-hidden="true" className="sign">
        {sign}
      </span>
      {word}
    </span>
  );
}

/** The label of a state. */
export function wordOf(state: string): string {
  return MARKS[state]?.word ?? state;
}
