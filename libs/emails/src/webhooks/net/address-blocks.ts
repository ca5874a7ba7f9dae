import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Block = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Without a zone. */
const SHAPE = /^[0-9a-f.:]+\/\d{1,3}$/i;

/** Blocks of addresses in CIDR notation: `10.0.0.0/8`, `fd00::/8`. An IPv4 address within IPv6 (`::ffff:…`) counts as IPv4. */
export class AddressBlocks {
  private readonly blocks: readonly Block[];

  /** @throws Error that names the invalid block */
  constructor(blocks: readonly string[]) {
    this.blocks = blocks.map(parseBlock);
  }

  get none(): boolean {
    return this.blocks.length === 0;
  }

  include(address: string): boolean {
    if (isIP(address) === 0 || isDottedOtherwise(address)) return false;
    const parsed = ipaddr.process(address);
    return this.blocks.some(([base, bits]) => base.kind() === parsed.kind() && parsed.match(base, bits));
  }
}

/** `::10.0.0.1`, which differs from `::ffff:10.0.0.1`, although ipaddr.js treats them alike. */
function isDottedOtherwise(address: string): boolean {
  return address.includes(':') && address.includes('.') && !/^::ffff:[\d.]+$/i.test(address);
}

function parseBlock(text: string): Block {
  if (!SHAPE.test(text) || !isIP(text.split('/', 1)[0] ?? '') || !ipaddr.isValidCIDR(text)) {
    throw new Error(`\`${text}\` is not a block of addresses such as 10.0.0.0/8.`);
  }
  const [base, bits] = ipaddr.parseCIDR(text);
  const isMapped = base instanceof ipaddr.IPv6 && base.isIPv4MappedAddress() && bits >= 96;
  return isMapped ? [base.toIPv4Address(), bits - 96] : [base, bits];
}
