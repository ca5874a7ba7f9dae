/** The first character of the local part and the domain: `j•••@example.com`. People recognise their own address by it. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const [first = ''] = address.slice(0, Math.max(at, 0));
  return `${first}•••${address.slice(at)}`;
}
