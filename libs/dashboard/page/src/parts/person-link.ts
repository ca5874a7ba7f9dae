/** The screen of the person with an address, as a path below the mount path. */
export function personLink(address: string): string {
  return `/people/${encodeURIComponent(address)}`;
}

/**
 * The address at the end of such a path, as the browser has it. The router decodes a path as a whole, which leaves `%40`
 * and `%2F`.
 */
export function addressInPath(pathname: string): string {
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
