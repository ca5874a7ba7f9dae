/** Replaces the address of an erased person everywhere. No mail reaches it (RFC 2606 section 2). */
export const ERASED_ADDRESS = 'erased@erased.invalid';
