/** In place of the address of an erased person (contract, section 4.3). */
export const ERASED_ADDRESS = 'erased@erased.invalid';
