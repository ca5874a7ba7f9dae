import type { ApiErrorName } from '../../shared/errors/api-errors.js';

/** The API key of a request. */
export interface SenderKey {
  /** Id of the API key. Absent for a caller without one, such as the host's own code. */
  apiKeyId?: string | undefined;
  /** The domain that the key is bound to. Absent: none. */
  domainId?: string | undefined;
}

/** An email to be sent. */
export interface SenderQuestion extends SenderKey {
  accountId: string;
  /** The address of `from`, domain in lower-case A-labels. */
  from: string;
}

/** May this account, by this key, send from this address? */
export type SenderDecision = { allowed: true } | SenderRefusal;

/** Why an email may not be sent. */
export interface SenderRefusal {
  allowed: false;
  /** 1 to 50 of `a-z`, `0-9` and `_`: the reason code of the recipients' events if it is refused at delivery. */
  code: string;
  /** The message of the error: what is wrong, and what would be right. */
  message: string;
  /** Status of the answer to the request. Default: 403. */
  status?: 403 | 422 | undefined;
  /** Name of the error. Default: the code, if the table of errors has it; else `invalid_access` (403), `validation_error` (422). */
  name?: ApiErrorName | undefined;
}

/** A rule about senders: verified domains, keys that are bound to a domain, a rule of the host. */
export interface SenderPolicy {
  /**
   * Called before a request writes anything, and once more at the delivery of an email that was accepted more than an
   * hour ago. Called for many emails at the same time. At acceptance a rejection or an invalid decision refuses the
   * request (an `ApiError` as it is, else 500), as does an answer that takes longer than 3 seconds (503); at delivery
   * each of them defers the email.
   */
  decide(question: SenderQuestion): SenderDecision | Promise<SenderDecision>;
}
