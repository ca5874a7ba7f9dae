import { Logger } from '@nestjs/common';
import type { ConnectingTransport, EmailTransport, TransportPlace } from '../ports/email-transport.js';

/** How long an email waits for a place, in milliseconds. */
const PATIENCE = 30_000;
/** A place that comes within this time is near, in milliseconds. */
const NEAR = 500;

/** Whether the transport tells when its turn has come. */
export function grantsPlaces(transport: EmailTransport): transport is ConnectingTransport {
  return 'takePlace' in transport;
}

/** The places of a transport; where it grants none, there is one for everybody at any time. */
export class Places {
  private readonly logger = new Logger(Places.name);
  private waiting = 0;
  /** Places given back since the time that `countedSince` says, and in as much time before that. */
  private given = 0;
  private givenBefore = 0;
  private countedSince = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly transport: EmailTransport,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Whether whoever asks now will hardly wait, as places were given back lately. */
  get near(): boolean {
    this.count();
    return this.waiting < this.givenBefore;
  }

  /** Undefined when there was none in time. Rejects when the next hop cannot be reached. */
  async take(): Promise<TransportPlace | undefined> {
    const { transport } = this;
    if (!grantsPlaces(transport)) {
      return { send: (message) => transport.send(message), reopen: async () => {}, release: () => {} };
    }
    this.waiting++;
    try {
      return await transport.takePlace(PATIENCE);
    } finally {
      this.waiting--;
    }
  }

  give(place: TransportPlace): void {
    this.count();
    this.given++;
    try {
      place.release();
    } catch {
      this.logger.error('The transport failed to take a place back.');
    }
  }

  private count(): void {
    const now = this.now();
    const passed = now - this.countedSince;
    if (passed < NEAR) return;
    this.givenBefore = passed < 2 * NEAR ? this.given : 0;
    this.given = 0;
    this.countedSince = now;
  }
}
