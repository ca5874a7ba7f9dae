import type { KeyObject } from 'node:crypto';

/** A private key of a domain. The same object each time: parsing a key costs as much as a signature. */
export interface SigningKey {
  /** First label of its record, as in `s2611r._domainkey.example.com`. */
  selector: string;
  /** `rsa`: RFC 6376. `ed25519`: RFC 8463. */
  algorithm: 'rsa' | 'ed25519';
  key: KeyObject;
}

/** The keys that sign the mail of the accounts' domains. */
export abstract class SigningKeys {
  /**
   * Called for every attempt, so the answer should come from memory.
   *
   * @param fromDomain domain of the address in `from`, in lower-case A-labels
   * @returns an empty list for a domain that does not sign. Rejects if it should sign but cannot: its emails are delayed
   */
  abstract of(accountId: string, fromDomain: string): Promise<readonly SigningKey[]>;
}
