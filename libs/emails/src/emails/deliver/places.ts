import { Logger } from '@nestjs/common';
import type { ConnectingTransport, EmailTransport, TransportPlace } from '../ports/email-transport.js';

/** How long an email waits for a place, in milliseconds. */
const PATIENCE = 30_000;
/** A place that comes within this time is near, in milliseconds: much less than an answer of the policies holds. */
const NEAR = 250;

/** Whether the transport tells when its turn has come. */
export function grantsPlaces(transport: EmailTransport): transport is ConnectingTransport {
  return 'takePlace' in transport;
}

/**
 * The places of a transport; where it grants none, there is one for everybody at any time. Whoever waits is told when its
 * place is near, which is known from how many were given back lately: places come in the order in which they are asked for.
 */
export class Places {
  private readonly logger = new Logger(Places.name);
  /** Who waits and was not told yet, in order of arrival. */
  private readonly far = new Set<Waiter>();
  /** How many wait and were told. */
  private told = 0;
  /** Places given back since the time that `countedSince` says, and in as much time before that. */
  private given = 0;
  private givenBefore = 0;
  private countedSince = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly transport: EmailTransport,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Undefined when there was none in time. Rejects when the next hop cannot be reached.
   *
   * @param destination of the message, if places are divided among them
   * @param whenNear called once when the place is near. Never where nothing is known of when it comes, or when it comes first
   */
  async take(destination?: string, whenNear?: () => void): Promise<TransportPlace | undefined> {
    const { transport } = this;
    if (!grantsPlaces(transport)) {
      return { send: (message) => transport.send(message), reopen: async () => {}, release: () => {} };
    }
    const waiter: Waiter = { whenNear };
    this.far.add(waiter);
    this.tell();
    try {
      return await transport.takePlace(PATIENCE, destination);
    } finally {
      if (!this.far.delete(waiter)) this.told--;
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
    this.tell();
  }

  /** Tells as many as places were given back in the time that is near. */
  private tell(): void {
    this.count();
    const most = Math.max(this.given, this.givenBefore);
    for (const waiter of this.far) {
      if (this.told >= most) return;
      this.far.delete(waiter);
      this.told++;
      waiter.whenNear?.();
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

interface Waiter {
  whenNear: (() => void) | undefined;
}
