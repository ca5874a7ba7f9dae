/** The domain of an address, as it is written; the whole text without an `@`. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
