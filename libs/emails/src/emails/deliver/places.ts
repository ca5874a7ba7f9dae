import { Logger } from '@nestjs/common';
import type { ConnectingTransport, Destination, EmailTransport, TransportPlace } from '../ports/email-transport.js';
import { Turns } from './turns.js';

/** How long an email waits for a place, in milliseconds. */
const PATIENCE = 30_000;
/** As above, where its destination is not known to answer quickly: many of these must not hold up what comes after them. */
const SHORT_PATIENCE = 5_000;

/** Whether the transport tells when its turn has come. */
export function grantsPlaces(transport: EmailTransport): transport is ConnectingTransport {
  return 'takePlace' in transport;
}

/** The places of a transport; where it grants none, there is one for everybody at any time. */
export class Places {
  private readonly logger = new Logger(Places.name);
  private readonly turns: Turns;

  constructor(
    private readonly transport: EmailTransport,
    now: () => number = () => performance.now(),
  ) {
    this.turns = new Turns(now);
  }

  /**
   * Undefined when there was none in time. Rejects when the next hop cannot be reached.
   *
   * @param destination of the message, if places are divided among them
   * @param whenNear called once when the place is near, see `Turns`
   */
  async take(destination?: Destination, whenNear?: () => void): Promise<TransportPlace | undefined> {
    const { transport } = this;
    if (!grantsPlaces(transport)) {
      return { send: (message) => transport.send(message), reopen: async () => {}, release: () => {} };
    }
    if (!destination) return this.turns.wait(whenNear, () => transport.takePlace(PATIENCE));
    const { name, speed } = destination;
    const patience = speed === 'quick' ? PATIENCE : SHORT_PATIENCE;
    return this.turns.wait(whenNear, () => transport.takePlace(patience, name, speed));
  }

  give(place: TransportPlace): void {
    this.turns.giveBack(() => {
      try {
        place.release();
      } catch {
        this.logger.error('The transport failed to take a place back.');
      }
    });
  }
}
