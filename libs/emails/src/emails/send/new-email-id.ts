import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** What one id takes, and how many bytes are asked of the system at once: asking costs more than the rest of an id. */
const ID = 16;
const random = Buffer.alloc(256 * ID);
let used = random.length;

/** A UUID of version 7 (RFC 9562 section 5.7): ids of a later millisecond are larger. */
export function newEmailId(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += ID;
  return v7({ random: random.subarray(used - ID, used) });
}
