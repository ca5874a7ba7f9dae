import type { BounceReason } from '../bounce-reasons.js';

/** Where the domains of mailboxes are seen. */
export const FREEMAIL = {
  source: 'https://github.com/willwhite/freemail/blob/023aa1786a25a08871f52d3521f9001081783d89/data/free.txt',
  read: '2026-11-27',
};

/** Where the words are seen: a public page or file, or an entry of the corpus in `test/feedback`, which names its own. */
type Evidence =
  | { source: string /** The date on which the source was opened and had the words. */; read: string; corpus?: never }
  | { corpus: string; source?: never; read?: never };

/** Words that one operator, or one server software, uses with one meaning. */
export type OperatorReply = Evidence & {
  /** Matched against a reply in one line, with single blanks and without the codes of its further lines. */
  pattern: RegExp;
  meaning: BounceReason;
  /** True for words that others use with another meaning: they count from this operator's hosts only. */
  isOnlyAtHost?: true;
};

/** The known replies of one operator. Each has a data file, so a new dialect is one file. */
export interface Operator {
  /** A word for logs, metrics and rules. */
  name: string;
  /** Domains under which its servers are named. Empty for server software, which runs anywhere. */
  hosts: readonly string[];
  /** Domains of mailboxes that it alone runs. Default: none is known. */
  mailboxes?: {
    domains: readonly string[];
    source: string;
    /** The date on which the source was opened. */
    read: string;
  };
  /** The first match counts. */
  replies: readonly OperatorReply[];
}
