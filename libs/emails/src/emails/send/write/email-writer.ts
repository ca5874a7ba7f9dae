import {
  type AcceptResult,
  type EmailStore,
  hasGivenMessageId,
  type NewEmail,
} from '../../storage/accept/emails.repository.js';
import { GROUP } from './shared-lane.js';
import { Writer } from './writer.js';

/** Characters of html and text. */
export const LONG = 1_000_000;
const NONE: readonly string[] = [];

/** Writes the emails of `POST /emails` and of the host's own code. */
export class EmailWriter extends Writer<NewEmail, Extract<AcceptResult, { accepted: true }>> {
  /**
   * @param patience milliseconds that an email waits for locks of other transactions, and for an unavailable database
   */
  constructor(store: EmailStore, patience?: number) {
    super(
      {
        accept: (emails, lockTimeout) => store.accept(emails, lockTimeout),
        acceptFree: (emails, lockTimeout) => store.acceptFree(emails, lockTimeout),
        givenIds: (email) => (hasGivenMessageId(email) ? [email.messageId] : NONE),
        findAccepted: async (emails) => {
          const found = await store.findAccepted(emails.map(({ id }) => id));
          return emails.map(({ id }) => found.get(id));
        },
      },
      { maxSize: GROUP, isLong: ({ html, text }) => (html?.length ?? 0) + (text?.length ?? 0) > LONG, patience },
    );
  }
}
