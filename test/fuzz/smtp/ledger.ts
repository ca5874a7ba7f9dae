/** A message that the server took, written down before it says so. */
export interface Copy {
  /** Id of the email, from its `Message-ID`. */
  id: string;
  /** Of its envelope. */
  sender: string;
  to: readonly string[];
  message: Buffer;
  /** Whether each command of the connection got one reply of its own, up to those of the next envelope. */
  isInStep: boolean;
  /** How much of the final reply was written while the client was there. */
  reply: 'none' | 'part' | 'whole';
  /** When the last of it was. Milliseconds, by the clock of `performance`. */
  writtenAt: number;
  /** Whether the connection was reset right behind the final reply, which may have overtaken it. */
  isReset: boolean;
  /** Of the final reply. */
  place: Place;
}

/** One MAIL, and what followed it. */
export interface Attempt {
  sender: string;
  /** Recipients by RCPT, whatever it was answered. */
  named: Set<string>;
  /** Those of them that were refused permanently; an empty text stands for all. */
  refused: Set<string>;
  /** Whether the connection has said a refusal that answers nothing, up to here. */
  hasExtra: boolean;
  /** Whether more than one thing out of step was done up to its end; or one, and the envelope came to no end. */
  isUnclear: boolean;
  place: Place;
}

/** A place in what was said on a connection, both ways. */
export interface Place {
  dialogue: readonly string[];
  at: number;
}

/** Lines of a dialogue before and behind a place. */
const AROUND = { before: 2, behind: 12 };

/** What the random server knows of each email. */
export class Ledger {
  readonly copies: Copy[] = [];
  /** By sender. */
  private readonly attempts = new Map<string, Attempt[]>();
  sessions = 0;
  /** What was done besides the usual, by kind and stage. */
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
   * Whether a recipient was refused permanently when it was named last: none is named again behind a refusal that counts.
   * So it is where another refusal was said and no count of replies gives it away: the server left out another, said one
   * more, or hung up. A client cannot tell that one from a refusal of the recipient.
   */
  hasRefused(sender: string, recipient: string): boolean {
    // One of which no recipient was named yet is about all.
    const about = ({ named, refused, isUnclear, hasExtra }: Attempt) =>
      named.has(recipient) || refused.has('') || (named.size === 0 && isUnclear && hasExtra);
    const last = this.attempts.get(sender)?.findLast(about);
    if (!last) return false;
    const { refused, isUnclear, hasExtra } = last;
    return refused.has('') || refused.has(recipient) || (isUnclear && (hasExtra || refused.size > 0));
  }

  /** What was said around each MAIL of a sender. */
  dialoguesOf(sender: string): string {
    return (this.attempts.get(sender) ?? []).map(({ place }) => around(place)).join(' || ');
  }

  noteOddity(name: string): void {
    this.oddities.set(name, (this.oddities.get(name) ?? 0) + 1);
  }
}

/** RFC 2920 section 3.1: what a go-ahead gets for which, as the client has to understand it, nobody was accepted. */
export function isForNobody({ message, isInStep }: Copy): boolean {
  return message.length === 0 && !isInStep;
}

/** Whether the client was told beyond doubt that the message was taken. */
export function isFinal({ isInStep, reply, isReset }: Copy): boolean {
  return isInStep && reply === 'whole' && !isReset;
}

export function around({ dialogue, at }: Place): string {
  return dialogue.slice(Math.max(0, at - AROUND.before), at + AROUND.behind).join(' | ');
}
