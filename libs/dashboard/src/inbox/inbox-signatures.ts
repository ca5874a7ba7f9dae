/** A DKIM signature (RFC 6376) of a message, verified. */
export interface InboxSignature {
  /** `d=` */
  domain: string;
  /** `s=` */
  selector: string;
  /** `a=`, such as `rsa-sha256`. */
  algorithm: string;
  result: 'pass' | 'fail' | 'temperror';
  /** True if `domain` and the one of `From` have the same organisation. */
  aligned: boolean;
  /** Cause of a result other than `pass`, in English. */
  reason: string | null;
}

/** Result of the DKIM signatures of a message; `temperror`: a key could not be looked up now (RFC 8601 section 2.7.1). */
export interface InboxSignatures {
  status: 'pending' | 'none' | 'pass' | 'fail' | 'temperror';
  signatures: readonly InboxSignature[];
}
