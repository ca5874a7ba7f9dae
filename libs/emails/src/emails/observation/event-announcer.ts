import { Injectable, Logger } from '@nestjs/common';
import type { EmailEvent, EmailEventListener } from '../ports/event-listener.js';

/** Tells the host's listeners of committed events. A listener that fails harms nobody else. */
@Injectable()
export class EventAnnouncer {
  private readonly logger = new Logger(EventAnnouncer.name);

  constructor(private readonly listeners: readonly EmailEventListener[]) {}

  announce(events: readonly EmailEvent[]): void {
    if (events.length === 0) return;
    for (const listener of this.listeners) {
      (async () => listener.onEvents(events))().catch((error: unknown) => {
        this.logger.error(`An event listener failed: ${error instanceof Error ? error.name : 'unknown error'}`);
      });
    }
  }
}
