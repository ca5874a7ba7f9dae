import type { Destination } from '../ports/email-transport.js';
import { ContentRoom } from './content-room.js';

/**
 * Upper limit of ordinary large emails. Bytes. Of attachments at most 2 MB count (`DeliveryRun`), so that only text and
 * html exceed it.
 */
const ORDINARY = 2_250_000;

/**
 * Memory limits for the contents of large emails. A quarter is for those beyond `ORDINARY`: otherwise two accounts with
 * emails of 12 MB would fill everything, and leave ordinary ones waiting.
 */
export class ContentRooms {
  private readonly ordinary: ContentRoom;
  private readonly larger: ContentRoom;

  /** @param bytes limit for all contents together */
  constructor(bytes: number) {
    const quarter = Math.floor(bytes / 4);
    this.ordinary = new ContentRoom(bytes - quarter);
    this.larger = new ContentRoom(quarter);
  }

  /** See `ContentRoom`. */
  acquire(accountId: string, bytes: number, destination?: Destination): Promise<(() => void) | undefined> {
    const room = bytes > ORDINARY ? this.larger : this.ordinary;
    return room.acquire(accountId, bytes, destination);
  }
}
