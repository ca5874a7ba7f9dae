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
    const attempt = { sender, named: new Set<string>(), refused: new Set<string>(), place };
    this.attempts.set(sender, [...(this.attempts.get(sender) ?? []), attempt]);
    return attempt;
  }

  /** Whether a recipient was refused permanently when it was named last: none is named again behind a refusal that counts. */
  hasRefused(sender: string, recipient: string): boolean {
    const about = ({ named, refused }: Attempt) => named.has(recipient) || refused.has('');
    const last = this.attempts.get(sender)?.findLast(about);
    return last !== undefined && (last.refused.has('') || last.refused.has(recipient));
  }

  /** What was said around each MAIL of a sender. */
  dialoguesOf(sender: string): string {
    return (this.attempts.get(sender) ?? []).map(({ place }) => around(place)).join(' || ');
  }

  noteOddity(name: string): void {
    this.oddities.set(name, (this.oddities.get(name) ?? 0) + 1);
  }
}

/** Whether the client was told beyond doubt that the message was taken. */
export function isFinal({ isInStep, reply, isReset }: Copy): boolean {
  return isInStep && reply === 'whole' && !isReset;
}

export function around({ dialogue, at }: Place): string {
  return dialogue.slice(Math.max(0, at - AROUND.before), at + AROUND.behind).join(' | ');
}
