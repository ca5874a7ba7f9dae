import type { Points } from './spamassassin.js';

/** A rule that may add points, and the reason. `only`: names of messages; default: all. */
interface AllowedRule {
  reason: string;
  only?: readonly string[];
}

type AllowedRules = Readonly<Record<string, AllowedRule>>;

/** Rules that only inform have a thousandth of a point. */
const INFORMATION = 0.01;

export const ALLOWED_BY_SPAMASSASSIN: AllowedRules = {
  DKIM_SIGNED: {
    reason: 'every signature costs a tenth, and every valid one is worth more (DKIM_VALID, DKIM_VALID_AU)',
  },
};

export const ALLOWED_BY_RSPAMD: AllowedRules = {
  FORGED_SENDER: { reason: 'a return path of its own for each message is never the address in From' },
  MIME_BASE64_TEXT: {
    reason: 'base64 is the shortest for these letters, and keeps each byte of an attachment that is a text',
    only: ['non-Latin', 'attachments'],
  },
  MIME_BASE64_TEXT_BOGUS: { reason: 'an attachment is in base64 whatever its bytes', only: ['attachments'] },
};

/** The rules that add points to a message and are not allowed to, with their points. */
export function objections(name: string, points: Points, allowed: AllowedRules): [rule: string, points: number][] {
  return Object.entries(points).filter(([rule, added]) => {
    const { only = [name] } = allowed[rule] ?? { only: [] };
    return added > INFORMATION && !only.includes(name);
  });
}
