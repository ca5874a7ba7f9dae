import type { BounceReason } from '../bounce-reasons.js';

/** Words that one operator, or one server software, uses with one meaning. */
export interface OperatorReply {
  /** Matched against a reply in one line, with single blanks and without the codes of its further lines. */
  pattern: RegExp;
  meaning: BounceReason;
  /** True for words that others use with another meaning: they count from this operator's hosts only. */
  isOnlyAtHost?: true;
  /** Address of the public page or file that shows the words. */
  source: string;
  /** The date on which the source was read. */
  read: string;
}

/** The known replies of one operator. Each has a data file, so a new dialect is one file. */
export interface Operator {
  /** A word for logs, metrics and rules. */
  name: string;
  /** Domains under which its servers are named. Empty for server software, which runs anywhere. */
  hosts: readonly string[];
  /** The first match counts. */
  replies: readonly OperatorReply[];
}
