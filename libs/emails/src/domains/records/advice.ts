/** What may be said of a record, by code. `{name}` is the record's full name, `{value}` the value it should have. */
export const ADVICE = {
  no_answer: 'DNS gave no answer at the last check ({detail}). It is looked up again.',
  not_found: 'There is no such record yet. A new one may take up to an hour to be seen.',
  cname: 'There is a CNAME record to {detail} at this name. Delete it, and add the {type} record in its place.',
  misplaced:
    'The record is at {detail}, because the provider of DNS adds the domain by itself. Its name in the form must be {relative}.',
  wildcard:
    'A wildcard record answers for this name. Add a record of exactly this name, which then counts in its place.',
  quoted: 'The value has quotes or backslashes in it. Enter it without them.',
  key_cut:
    'The key is cut after {detail} characters. The form of the provider may allow 255 characters: split the value into several strings.',
  key_revoked: 'The record has an empty `p=`, which revokes the key. Replace its value.',
  key_of_other_selector: 'The record has the key of {detail}. The values of two records were exchanged.',
  another_key: 'Another key is at this name, of an earlier time or another server. Replace its value.',
  not_a_key: 'The record at this name is no DKIM key. Replace its value.',
  wrong_tag: 'The record has `{detail}`, with which the key does not count. Replace its value.',
  several_keys: 'There are several records at this name, and receivers read any of them. Delete the others.',
  test_mode:
    'The key says that it is only tested (`t=y`): receivers may treat the mail as not signed. Remove that tag.',
  several_spf:
    'There are {detail} SPF records at this name, and then none counts. Keep one, with the mechanisms of all.',
  no_spf: 'The TXT records at this name are no SPF record. Add this one.',
  spf_lacks: 'The SPF record lacks `{detail}`. Add it in front of `all`.',
  spf_after_all: 'Nothing after `all` counts in the SPF record. Move `{detail}` in front of it.',
  spf_allows_all: 'The SPF record ends in `+all`, which lets everybody use the domain. Write `~all`.',
  spf_too_many: 'The SPF record needs more than 10 lookups, and then receivers refuse it (RFC 7208 section 4.6.4).',
  other_mx: 'The MX record points to {detail}. It must be {value}.',
  mx_priority: 'The priority is part of the value ({detail}). It has a field of its own.',
  mx_doubled: 'The MX record points to {detail}: the provider added the domain to the value. End the value with a dot.',
  null_mx: 'The MX record says that the domain takes no mail. Replace it.',
  mx_others: 'Bounces may also go to {detail}, where nobody reads them. Delete the other MX records of this name.',
  no_dmarc: 'There is no DMARC record. Large mailbox providers ask senders of much mail for one.',
  inherited_dmarc: 'The DMARC record of {detail} applies. One of its own is not needed.',
  several_dmarc: 'There are several DMARC records, and then none counts. Keep one.',
  dmarc_removed_tags: 'RFC 9989 has removed {detail}. Receivers ignore these tags: remove them.',
  dmarc_policy: 'The DMARC record has no valid policy. Write `p=none`, `p=quarantine` or `p=reject`.',
  dmarc_no_reports: 'The DMARC record names no address for reports. Add `rua=mailto:` and an address of yours.',
  dmarc_strict:
    'With `aspf=s` the return path, a subdomain, does not align with the sender. Remove the tag, unless the DKIM signature alone should count.',
  key_unreadable:
    'The private key cannot be opened: the secret key of this server was changed. Emails of the domain wait. Bring the old secret back, or rotate the keys.',
} as const satisfies Readonly<Record<string, string>>;

/** One of them. */
export type AdviceCode = keyof typeof ADVICE;

export const ADVICE_CODES = Object.keys(ADVICE) as AdviceCode[];

/** One piece of advice, as it is stored. Its sentence is made when it is read. */
export interface Advice {
  code: AdviceCode;
  /** The part of the record that it is about. It may be text of the domain's DNS, shortened. */
  detail?: string;
}

/** Facts that a sentence may name. */
export interface AdvisedRecord {
  /** Full name. */
  name: string;
  /** Name within the domain. */
  relative: string;
  type: string;
  value: string;
}

/** The sentence of a piece of advice. */
export function adviceText({ code, detail = '' }: Advice, record: AdvisedRecord): string {
  const facts: Readonly<Record<string, string>> = { ...record, detail };
  return ((ADVICE[code] as string | undefined) ?? '').replace(/\{(\w+)\}/g, (_, name: string) => facts[name] ?? '');
}
