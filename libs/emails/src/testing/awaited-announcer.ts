import { EventAnnouncer } from '../emails/observation/event-announcer.js';
import type { EmailEventListener } from '../emails/ports/event-listener.js';

/** Announces events, and can wait for what listeners do with them. */
export class AwaitedAnnouncer extends EventAnnouncer {
  private readonly running: Promise<void>[] = [];

  override listen(listener: EmailEventListener): void {
    super.listen({
      onEvents: (events) => {
        const handled = Promise.resolve(listener.onEvents(events));
        this.running.push(handled.catch(() => {}));
        return handled;
      },
    });
  }

  /** Resolves when every listener has handled its events, those that its work has caused included. */
  async idle(): Promise<void> {
    while (this.running.length > 0) await Promise.all(this.running.splice(0));
  }
}
