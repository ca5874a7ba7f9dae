import type {
  ActionPlace,
  ActionStore,
  ClaimedAction,
  EmailResult,
  FoundAction,
  NewAction,
  StartResult,
} from '../emails/storage/actions/action.repository.js';
import type { MemoryAnswers } from './memory-answers.js';
import type { MemoryEmails } from './memory-emails.js';
import { written } from './written.js';

type StoredAction = ClaimedAction & FoundAction;

/** Keeps actions on many emails in memory. */
export class MemoryActions implements ActionStore {
  private readonly actions: StoredAction[] = [];

  constructor(
    private readonly emails: MemoryEmails,
    private readonly answers: MemoryAnswers,
  ) {}

  async start({ ids, filters, beforeSeq, limit, claim, ...action }: NewAction): Promise<StartResult> {
    const emails = ids ? [...ids] : await this.emails.idsOf(action.accountId, filters, beforeSeq);
    if (emails.length > limit) return { kind: 'too many', count: emails.length };
    if (claim && !this.answers.keep(action.accountId, claim)) return { kind: 'taken' };
    const matched = emails.length;
    const progress = { emails, matched, fence: 0, place: 0, done: 0, refused: [], completed: matched === 0 };
    this.actions.push({ ...action, ...progress, createdAt: written(new Date()) });
    return { kind: 'started' };
  }

  async find(accountId: string, id: string): Promise<FoundAction | undefined> {
    return this.actions.find((action) => action.accountId === accountId && action.id === id);
  }

  watch(): () => void {
    return () => {};
  }

  async claim(): Promise<ClaimedAction | undefined> {
    const due = this.actions.find(({ completed }) => !completed);
    return due && { ...due, emails: due.emails.slice(due.place) };
  }

  async advance({ id }: ActionPlace, email: string, result: EmailResult): Promise<void> {
    const action = this.actions.find((one) => one.id === id);
    if (!action) return;
    action.place += 1;
    if ('done' in result) action.done += 1;
    else if ('refusal' in result) action.refused.push({ id: email, message: result.refusal });
    else action.emails.push(email);
  }

  async release({ id }: ClaimedAction): Promise<void> {
    const action = this.actions.find((one) => one.id === id);
    if (action) action.completed = action.place >= action.emails.length;
  }
}
