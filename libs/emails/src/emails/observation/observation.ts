import { Injectable, Logger } from '@nestjs/common';
import type {
  EmailsObserver,
  ObservedAcceptance,
  ObservedAttempt,
  ObservedFailure,
  ObservedNextHop,
} from '../ports/emails-observer.js';

/** The host's observers. A failing one does not affect the library. */
@Injectable()
export class Observation {
  private readonly logger = new Logger(Observation.name);

  constructor(private readonly observers: readonly EmailsObserver[]) {}

  accepted(acceptance: ObservedAcceptance): void {
    this.tell((observer) => observer.accepted?.(acceptance));
  }

  attempted(attempt: ObservedAttempt): void {
    this.tell((observer) => observer.attempted?.(attempt));
  }

  failed(failure: ObservedFailure): void {
    this.tell((observer) => observer.failed?.(failure));
  }

  nextHop(state: ObservedNextHop): void {
    this.tell((observer) => observer.nextHop?.(state));
  }

  private tell(call: (observer: EmailsObserver) => void): void {
    for (const observer of this.observers) {
      try {
        call(observer);
      } catch (error) {
        this.logger.error(`An observer failed: ${error instanceof Error ? error.name : 'unknown error'}`);
      }
    }
  }
}
