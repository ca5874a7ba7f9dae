/** Stands for the address of whoever was erased, wherever that was. No mail reaches it (RFC 2606 section 2). */
export const ERASED_ADDRESS = 'erased@erased.invalid';
