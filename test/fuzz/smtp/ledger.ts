/** A message that the server took, written down before it says so. */
export interface Copy {
  /** Id of the email, from its `Message-ID`. */
  id: string;
  to: readonly string[];
  /** Whether each command of the connection got one reply of its own, up to those of the next envelope. */
  isInStep: boolean;
  /** How much of the final reply was written while the client was there. */
  reply: 'none' | 'part' | 'whole';
  /** Whether the connection was reset right behind the final reply, which may have overtaken it. */
  isReset: boolean;
  /** Of the final reply. */
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
  /** By sender: the recipients that were refused permanently; an empty text stands for all. */
  private readonly refused = new Map<string, Set<string>>();
  /** By sender: where it was named. */
  private readonly named = new Map<string, Place[]>();
  sessions = 0;
  /** What was done besides the usual, by kind and stage. */
  readonly oddities = new Map<string, number>();

  take(copy: Copy): Copy {
    this.copies.push(copy);
    return copy;
  }

  refuse(sender: string, recipients: readonly string[]): void {
    const known = this.refused.get(sender) ?? new Set();
    for (const recipient of recipients) known.add(recipient);
    this.refused.set(sender, known);
  }

  hasRefused(sender: string, recipient: string): boolean {
    const refused = this.refused.get(sender);
    return refused !== undefined && (refused.has('') || refused.has(recipient));
  }

  name(sender: string, place: Place): void {
    this.named.set(sender, [...(this.named.get(sender) ?? []), place]);
  }

  /** What was said around each MAIL of a sender. */
  dialoguesOf(sender: string): string {
    return (this.named.get(sender) ?? []).map(around).join(' || ');
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
