import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isPublicAddress } from './public-address.js';

/** An address and how many of its bits count. */
type Block = ReturnType<typeof ipaddr.parseCIDR>;

/** Which addresses may be connected to: those of the public internet, and blocks that an operator vouches for. */
export class AddressRules {
  private readonly blocks: readonly Block[];

  /** @param allowed CIDR blocks, such as `10.0.0.0/8` and `fd00::/8`. @throws Error for what is none */
  constructor(allowed: readonly string[] = []) {
    this.blocks = allowed.map((block) => ipaddr.parseCIDR(block));
  }

  /** Whether any block is allowed besides. */
  get allowsPrivate(): boolean {
    return this.blocks.length > 0;
  }

  isAllowed(address: string): boolean {
    return isPublicAddress(address) || this.isVouchedFor(address);
  }

  /** Whether it lies in one of the blocks. */
  isVouchedFor(address: string): boolean {
    if (isIP(address) === 0) return false;
    // An IPv4 address that is written as an IPv6 one is connected to as what it is.
    const parsed = ipaddr.process(address);
    return this.blocks.some((block) => parsed.kind() === block[0].kind() && parsed.match(block));
  }
}

/** Whether a text is a CIDR block. */
export function isBlock(text: string): boolean {
  return ipaddr.isValidCIDR(text);
}
