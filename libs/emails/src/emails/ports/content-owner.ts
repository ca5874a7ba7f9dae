import type { EntityManager } from 'typeorm';

/** Refers to contents of the library's attachment storage in addition to emails: received mail, files of the host. */
export interface ContentOwner {
  /**
   * Finds those of up to 1,000 contents that it refers to. Called before contents without an email are deleted: by
   * housekeeping a day after they were last put, and by an erasure at once. Therefore put a content, again if
   * necessary, in the transaction in which you refer to it. A rejection, or no answer within 20 seconds, deletes nothing
   * and is logged; it is called again later. An erasure is not finished before.
   *
   * @param hashes the hashes given to `put`
   * @param manager of the data source of emails, outside of a transaction
   * @returns those of them that it refers to
   */
  keeps(hashes: readonly string[], manager: EntityManager): Promise<readonly string[]>;
}
