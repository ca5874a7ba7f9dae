import type { Domain, DomainRecord, DomainStatus } from '../../api/domains';
import { countedOf } from '../../parts/numbers';
import type { KeyState } from './standing';

/** Every text of the Domains screen. */
export const TEXTS = {
  title: 'Domains',
  list: 'All domains',
  notListed: 'The domains could not be listed',
  notListedMeaning: 'Emails are still signed and sent.',
  notRead: 'The domain could not be read',
  missing: { title: 'There is no domain with this id', text: 'It may have been deleted.' },
  empty: {
    title: 'No domains yet',
    text: 'With a domain of yours, emails are signed, and mail providers trust that they are from you. Add it, copy its records to your DNS provider, and choose Verify now. Or add it with the API:',
    viewer: 'An admin adds the first one.',
  },
  left: (count: number) => `${countedOf(count, 'record')} left`,
  noneLeft: 'All records are there',
  off: 'Sending is switched off',
  facts: {
    id: 'Id',
    theId: 'the id',
    added: 'Added',
    checked: 'Last check',
    notChecked: 'Not checked yet',
    next: 'Next check',
    returnPath: 'Return path',
  },
  add: 'Add domain',
  adding: {
    title: 'Add a domain',
    action: 'Add domain',
    name: 'Domain',
    nameHint: 'The part after the @ of your senders, such as example.com.',
    more: 'More options',
    returnPath: 'Return path',
    returnPathHint: 'The first part of the name that bounces go to. Change it only if send is used already.',
    ed25519: 'Also sign with Ed25519',
    ed25519Hint: 'One record more. Few receivers verify it, so the RSA signature is added in any case.',
    failure: 'The domain was not added',
    done: (name: string) => `${name} was added.`,
  },
  verify: 'Verify now',
  checking: 'Checking…',
  checked: (left: number) => (left === 0 ? 'All records are there.' : `Checked. ${countedOf(left, 'record')} left.`),
  notVerified: 'The check was not started',
  more: 'More',
  records: 'Records',
  recordsLead: (name: string) =>
    `Add each of these where the DNS of ${name} is managed, and leave the records that are there in place.`,
  zone: 'all records as a zone file',
  zoneHint: 'Many DNS providers import a zone file: copy all records at once',
  recommended: 'Recommended: DMARC',
  recommendedLead:
    'It tells receivers what to do with mail that only claims to be yours. The domain is verified without it.',
  record: {
    type: 'Type',
    name: 'Name',
    fullName: 'In full',
    value: 'Value',
    priority: 'Priority',
    found: 'Found now',
    nothing: 'Nothing',
    empty: '(empty)',
    wrong: 'To do',
    advice: 'Advice',
    copyName: (title: string) => `the name of ${title}`,
    copyValue: (title: string) => `the value of ${title}`,
  },
  keys: 'Signing keys',
  keyNames: { made: 'Made', found: 'Record found', replaced: 'Replaced' },
  keysLead:
    'A replaced key is deleted after 7 days. Keep its record until then: emails on their way have its signature.',
  rotate: 'Rotate keys',
  rotating: {
    titleOf: (name: string) => `Rotate the keys of ${name}?`,
    action: 'Rotate keys',
    text: 'A new key is made, with a new record to copy. The old key signs until that record is found, so no email is unsigned. Its record can be deleted 7 days later.',
    failure: 'The keys were not rotated',
    meaning: 'The old keys sign as before.',
    done: 'A new key was made. Copy its record.',
  },
  encryption: 'Encryption',
  tls: 'Delivery',
  tlsHint: 'It holds for emails from this domain.',
  notChanged: 'The setting was not changed',
  changed: 'Saved.',
  delete: 'Delete domain',
  deleting: {
    titleOf: (name: string) => `Delete ${name}?`,
    action: 'Delete domain',
    text: 'Its keys are deleted, and emails from it are no longer signed by this server. If it is added again, its records have to be copied again.',
    label: (name: string) => `To confirm, type ${name}`,
    failure: 'The domain was not deleted',
    meaning: 'Its emails are signed as before.',
    done: (name: string) => `${name} was deleted.`,
  },
} as const;

/** Meaning of each state for the domain's mail, with the next step. */
export const STANDINGS: Readonly<Record<DomainStatus, (name: string, left: number) => string>> = {
  not_started: () => 'Next: copy these records to your DNS provider, then choose Verify now.',
  pending: (_, left) =>
    left === 0
      ? 'All records are there. The domain is verified with the next check.'
      : `${countedOf(left, 'record')} left. DNS is looked up again by itself for 72 hours: you can close this page.`,
  verified: (name, left) =>
    left === 0
      ? `Emails from ${name} are signed.`
      : `Emails from ${name} are signed, but ${countedOf(left, 'record')} cannot be found any more. Put it back: after 72 hours the domain counts as not verified.`,
  failed: (_, left) =>
    `${countedOf(left, 'record')} could not be found for 72 hours, so the domain is not verified. Correct it, then choose Verify now.`,
};

/** Uses of records. */
const USES = {
  signature: { title: 'DKIM', use: 'The public key with which receivers verify the signature of your emails.' },
  replaced: { title: 'DKIM, replaced', use: 'The key before the newest. Keep the record while emails with it arrive.' },
  bounces: { title: 'Bounces (MX)', use: 'Where undeliverable mail is returned to.' },
  senders: { title: 'SPF', use: 'The servers that may send for the domain.' },
  owner: { title: 'Ownership', use: 'Proves that the domain is yours.' },
  policy: {
    title: 'DMARC',
    use: 'Asks receivers to refuse mail from subdomains that do not exist. Nothing else changes.',
  },
} as const;

/** The title of a record, and its use. */
export function useOf({ record, type, key }: DomainRecord): { title: string; use: string } {
  if (record === 'DMARC') return USES.policy;
  if (record === 'SPF') return type === 'MX' ? USES.bounces : USES.senders;
  if (!key) return USES.owner;
  return key.retired_at === null ? USES.signature : USES.replaced;
}

export const KEY_STATES: Readonly<Record<KeyState, string>> = {
  signs: 'Signs emails',
  waits: 'Waits for its record',
  replaced: 'Replaced',
};

export const TLS: Readonly<Record<Domain['tls'], string>> = {
  opportunistic: 'Encrypted if the next server can',
  enforced: 'Encrypted, or not at all',
};
