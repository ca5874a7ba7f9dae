import type { DashboardStaging } from '../../../src/status/dashboard-status';
import { countOf } from './numbers';

/** Entries that a sentence names; the others are counted. */
const NAMED = 3;

/** "Staging: only me@example.net and example.org get mail here. Emails to others fail." */
export function stagingSentence({ only_to: only, redirect_all_to: mailbox }: DashboardStaging): string {
  const redirected = mailbox === null ? '' : ` goes to ${mailbox}, not to its recipients.`;
  if (only === null) return `Staging: all mail${redirected}`;
  const verb = only.length === 1 ? 'gets' : 'get';
  const allowed = `Staging: only ${namesOf(only)} ${verb} mail here; emails to others fail.`;
  return mailbox === null ? allowed : `${allowed} All mail${redirected}`;
}

/** "a, b and c", "a, b, c and 4 others". */
function namesOf(names: readonly string[]): string {
  const others = names.length - NAMED;
  const shown = others > 1 ? [...names.slice(0, NAMED), `${countOf(others)} others`] : names;
  return [shown.slice(0, -1).join(', '), shown.at(-1)].filter(Boolean).join(' and ');
}
