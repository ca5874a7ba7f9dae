/** Knows the accounts' domains, for the parts that have to do with a domain and do not own it. */
export interface DomainDirectory {
  /**
   * The name of a domain of this account, in lower-case A-labels; undefined for any other id. Called when an API key is bound
   * to a domain, and for each email of such a key, so the answer should come from memory. Rejects while it is not known:
   * the request is refused with 503, and nothing is allowed.
   *
   * @param domainId a UUID
   */
  nameOf(accountId: string, domainId: string): Promise<string | undefined>;

  /**
   * Domain of the return path of mail from this domain, such as `send.example.com`, whose MX is ours and whose SPF record
   * names what sends; undefined while there is none: then the common one is used. Called for every attempt. A rejection
   * defers the email.
   *
   * @param fromDomain domain of the address in `from`, in lower-case A-labels
   */
  returnPathOf(accountId: string, fromDomain: string): Promise<string | undefined>;
}

/** Injection token of the `DomainDirectory`, or undefined without one. Without the core there is none: inject it as optional. */
export const DOMAIN_DIRECTORY = Symbol('nestjs-emails domain directory');
