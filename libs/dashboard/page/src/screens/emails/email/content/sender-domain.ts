import { addressOf } from '../../../../parts/address-of';

/** The domain of a sender in lower-case A-labels, as domains are named: `example.com` of `Jane <jane@Example.com>`. */
export function senderDomain(from: string): string {
  const address = addressOf(from);
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return URL.parse(`http://${domain}`)?.hostname ?? domain.toLowerCase();
}
