/** The screen of the person with an address, as a path below the mount path. */
export function personLink(address: string): string {
  return `/people/${encodeURIComponent(address)}`;
}
