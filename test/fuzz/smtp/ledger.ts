/** An accepted message, recorded before the server replies. */
export interface Copy {
  /** Id of the email, from its `Message-ID`. */
  id: string;
  /** Sender of its envelope. */
  sender: string;
  to: readonly string[];
  message: Buffer;
  /** True if each command of the connection got exactly one reply, up to those of the next envelope. */
  isInStep: boolean;
  /** Part of the final reply that was written while the client was connected. */
  reply: 'none' | 'part' | 'whole';
  /** Time of its last byte. Milliseconds, by the clock of `performance`. */
  writtenAt: number;
  /** True if the connection was reset right after the final reply, which the reset may have overtaken. */
  isReset: boolean;
  /** Place of the final reply. */
  place: Place;
}

/** One MAIL, and what followed it. */
export interface Attempt {
  sender: string;
  /** Recipients by RCPT, with any reply. */
  named: Set<string>;
  /** Permanently refused ones; an empty text means all. */
  refused: Set<string>;
  /** True if the connection has sent an unsolicited refusal so far. */
  hasExtra: boolean;
  /** Whether there was more than one deviation up to its end; or one, and the envelope did not end. */
  isUnclear: boolean;
  place: Place;
}

/** A position in the dialogue of a connection. */
export interface Place {
  dialogue: readonly string[];
  at: number;
}

/** Lines of a dialogue before and after a position. */
const AROUND = { before: 2, behind: 12 };

/** The random server's records of each email. */
export class Ledger {
  readonly copies: Copy[] = [];
  /** By sender. */
  private readonly attempts = new Map<string, Attempt[]>();
  sessions = 0;
  /** Oddities, by kind and stage. */
  readonly oddities = new Map<string, number>();

  take(copy: Copy): Copy {
    this.copies.push(copy);
    return copy;
  }

  begin(sender: string, place: Place): Attempt {
    const attempt = {
      sender,
      named: new Set<string>(),
      refused: new Set<string>(),
      hasExtra: false,
      isUnclear: false,
      place,
    };
    this.attempts.set(sender, [...(this.attempts.get(sender) ?? []), attempt]);
    return attempt;
  }

  /**
   * True if a recipient was refused permanently when it was last named; a recipient is not named again after a valid
   * refusal. It also counts as refused where another refusal was sent and the number of replies does not reveal it: the
   * server omitted another reply, sent an additional one, or hung up. A client cannot distinguish that from a refusal
   * of the recipient.
   */
  hasRefused(sender: string, recipient: string): boolean {
    // A refusal before the first recipient applies to all.
    const about = ({ named, refused, isUnclear, hasExtra }: Attempt) =>
      named.has(recipient) || refused.has('') || (named.size === 0 && isUnclear && hasExtra);
    const last = this.attempts.get(sender)?.findLast(about);
    if (!last) return false;
    const { refused, isUnclear, hasExtra } = last;
    return refused.has('') || refused.has(recipient) || (isUnclear && (hasExtra || refused.size > 0));
  }

  /** Replies around each MAIL of a sender. */
  dialoguesOf(sender: string): string {
    return (this.attempts.get(sender) ?? []).map(({ place }) => around(place)).join(' || ');
  }

  noteOddity(name: string): void {
    this.oddities.set(name, (this.oddities.get(name) ?? 0) + 1);
  }
}

/** RFC 2920 section 3.1: the reply to a 354 for which, from the client's view, no recipient was accepted. */
export function isForNobody({ message, isInStep }: Copy): boolean {
  return message.length === 0 && !isInStep;
}

/** True if the client got a clear reply that the message was accepted. */
export function isFinal({ isInStep, reply, isReset }: Copy): boolean {
  return isInStep && reply === 'whole' && !isReset;
}

export function around({ dialogue, at }: Place): string {
  return dialogue.slice(Math.max(0, at - AROUND.before), at + AROUND.behind).join(' | ');
}
