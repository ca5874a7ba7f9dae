import type { NewPause, Pause, PauseTarget } from '../emails/ports/pause.js';
import type { PausedMail } from '../emails/ports/paused-mail.js';
import type { BegunPause, EndedPause, PauseStore } from '../emails/storage/deliver/pause.repository.js';

/** Keeps pauses in memory. */
export class MemoryPauses implements PauseStore {
  private readonly pauses = new Map<string, Pause>();

  async begin(pause: NewPause): Promise<BegunPause> {
    const key = keyOf(pause);
    const before = this.pauses.get(key);
    this.pauses.set(key, { ...pause, since: before?.since ?? new Date() });
    return { kind: 'paused', isNew: before === undefined, inForceIn: 0 };
  }

  async end(target: PauseTarget): Promise<EndedPause> {
    return { kind: 'released', hasEnded: this.pauses.delete(keyOf(target)), emails: [] };
  }

  /** Nothing leaves by itself there. */
  async mail(): Promise<PausedMail> {
    return { count: 0, accounts: [] };
  }

  async list(): Promise<Pause[]> {
    return [...this.pauses.values()];
  }
}

function keyOf({ account, topic, template, transport }: PauseTarget): string {
  return JSON.stringify([account, topic, template, transport]);
}
