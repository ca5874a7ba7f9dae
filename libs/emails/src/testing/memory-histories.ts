import type { RecordedEventType } from '../emails/states/email-states.js';
import type { RecipientState } from '../emails/states/recipient-state.js';
import type { KeptEvent } from '../emails/storage/read/timeline.repository.js';
import type { MemoryClock } from './memory-clock.js';
import { written } from './written.js';

/** The history of an email. */
export interface EmailHistory {
  recipients: readonly RecipientState[];
  /** Number of ended attempts. */
  attempts: number;
  /** When it is delivered next: milliseconds of the clock. Null: nothing is pending. */
  nextAttemptAt: number | null;
  /** The oldest first. */
  events: KeptEvent[];
}

/** Facts of a new event. */
export type AddedEvent = { type: RecordedEventType } & { [K in keyof KeptEvent]?: KeptEvent[K] | undefined };

const NOTHING = {
  recipient: null,
  reason: null,
  reasonCode: null,
  attempt: null,
  source: null,
  bounce: null,
  transport: null,
};

/** The histories of the emails of a test. */
export class MemoryHistories {
  private readonly histories = new Map<string, EmailHistory>();
  private events = 0;

  constructor(private readonly clock: Pick<MemoryClock, 'now'>) {}

  begin(emailId: string, recipients: readonly RecipientState[], nextAttemptAt: number): void {
    this.histories.set(emailId, { recipients, attempts: 0, nextAttemptAt, events: [] });
  }

  /** @throws Error for an email that was not begun */
  of(emailId: string): EmailHistory {
    const history = this.histories.get(emailId);
    if (!history) throw new Error('There is no history of this email.');
    return history;
  }

  /** Adds an event. */
  add(emailId: string, event: AddedEvent): { id: string; createdAt: Date } {
    this.events += 1;
    const recorded = { id: String(this.events), createdAt: new Date(this.clock.now()) };
    const given = Object.fromEntries(Object.entries(event).filter(([, value]) => value !== undefined));
    const kept = { ...NOTHING, ...given, id: recorded.id, createdAt: written(recorded.createdAt) };
    this.of(emailId).events.push(kept as KeptEvent);
    return recorded;
  }
}
