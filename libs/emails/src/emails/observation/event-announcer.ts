import { Injectable, Logger } from '@nestjs/common';
import type { EmailEvent, EmailEventListener } from '../ports/event-listener.js';

/** Calls the host's listeners with committed events. A failing listener does not affect others. */
@Injectable()
export class EventAnnouncer {
  private readonly logger = new Logger(EventAnnouncer.name);

  private readonly listeners: EmailEventListener[];

  constructor(listeners: readonly EmailEventListener[]) {
    this.listeners = [...listeners];
  }

  /** Adds a listener for events that are announced from now on. */
  listen(listener: EmailEventListener): void {
    this.listeners.push(listener);
  }

  announce(events: readonly EmailEvent[]): void {
    if (events.length === 0) return;
    for (const listener of this.listeners) {
      (async () => listener.onEvents(events))().catch((error: unknown) => {
        this.logger.error(`An event listener failed: ${error instanceof Error ? error.name : 'unknown error'}`);
      });
    }
  }
}
