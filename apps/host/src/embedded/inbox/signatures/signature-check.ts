/** Result of one signature or of a message (RFC 8601 section 2.7.1). `neutral` and `policy` count as `fail`. */
export type SignatureResult = 'pass' | 'fail' | 'temperror';

/** A DKIM signature (RFC 6376) that was verified. */
export interface CheckedSignature {
  /** `d=`: the domain that takes responsibility. Empty where the signature names none. */
  domain: string;
  /** `s=` */
  selector: string;
  /** `a=`, such as `rsa-sha256`. */
  algorithm: string;
  result: SignatureResult;
  /** True if `domain` and the one of `From` have the same organisation, as DMARC asks for (RFC 9989). */
  aligned: boolean;
  /** Cause of a result other than `pass`, in English. */
  reason: string | null;
}

/**
 * - `pending`: not verified yet
 * - `none`: the message has no signature
 * - `pass`: one of them verifies
 * - `temperror`: none verifies, and a key or the time was missing
 */
export interface DkimStatus {
  status: 'pending' | 'none' | SignatureResult;
  signatures: readonly CheckedSignature[];
}

/** A message to verify. */
export interface SignatureTask {
  /** Path of the message. */
  file: string;
  /** Selector and TXT record of a key that every domain has, without a look-up. */
  known?: { selector: string; record: string } | undefined;
  /** DNS servers for other keys, `address:port`. Default: those of the system. */
  dnsServers?: readonly string[] | undefined;
}

export const PENDING: DkimStatus = { status: 'pending', signatures: [] };
export const NONE: DkimStatus = { status: 'none', signatures: [] };
/** The limits of a check were reached, or the message is gone. */
export const UNKNOWN: DkimStatus = { status: 'temperror', signatures: [] };
