/** True for `example.com` and names below `test`, which nobody can own (RFC 6761). @param domain lower-case A-labels */
export function isDevelopmentDomain(domain: string): boolean {
  return domain === 'example.com' || domain.endsWith('.test');
}
