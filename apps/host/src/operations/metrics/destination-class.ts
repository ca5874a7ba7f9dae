/** Receivers of most of the world's mail, by the domains of their addresses. */
const PROVIDERS: Readonly<Record<string, RegExp>> = {
  google: /^(gmail|googlemail)\.com$/,
  microsoft: /^(outlook|hotmail|live|msn)\.[a-z]{2,3}(\.[a-z]{2})?$/,
  yahoo: /^(yahoo|ymail|rocketmail|aol)\.[a-z]{2,3}(\.[a-z]{2})?$/,
  apple: /^(icloud|me|mac)\.com$/,
};

/** Classes of destinations: few, so that no address or domain becomes a label. */
export const DESTINATION_CLASSES = [...Object.keys(PROVIDERS), 'other'];

/** The class of an envelope address. A company domain hosted by one of them is `other`. */
export function destinationClass(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  return Object.entries(PROVIDERS).find(([, pattern]) => pattern.test(domain))?.[0] ?? 'other';
}
