import type { DomainEntity } from '../storage/domain.entity.js';
import type { DomainKeyEntity } from '../storage/domain-key.entity.js';
import type { WantedRecord } from './wanted-record.js';

/** Options that decide which records a domain needs. */
export interface RecordOptions {
  /** Host that takes bounces, and what may send for the domain. Undefined: the return path is a relay's. */
  bounceHost?: string | undefined;
  spfMechanisms?: readonly string[] | undefined;
  /** The relay signs: no key of ours is used. */
  isSignedByRelay?: boolean | undefined;
}

const MX_PRIORITY = 10;
const CHALLENGE_NAME = '_emails-challenge';

type RecordsOf = Pick<DomainEntity, 'returnPath' | 'challenge'>;

/** The records that a domain needs, in the order in which they are shown. */
export function wantedRecords(
  { returnPath, challenge }: RecordsOf,
  keys: readonly DomainKeyEntity[],
  { bounceHost, spfMechanisms = [], isSignedByRelay = false }: RecordOptions,
): WantedRecord[] {
  if (isSignedByRelay) {
    return [{ kind: 'challenge', key: 'challenge', name: CHALLENGE_NAME, value: challengeValue(challenge) }];
  }
  return [
    ...keys.map(dkimRecord),
    ...(bounceHost === undefined
      ? []
      : [
          { kind: 'mx' as const, key: 'spf mx', name: returnPath, value: bounceHost, priority: MX_PRIORITY },
          {
            kind: 'spf' as const,
            key: 'spf txt',
            name: returnPath,
            value: ['v=spf1', ...spfMechanisms, '~all'].join(' '),
            mechanisms: spfMechanisms,
          },
        ]),
  ];
}

/** The record that is recommended, and not needed (RFC 9989). */
export const DMARC: WantedRecord = {
  kind: 'dmarc',
  key: 'dmarc',
  name: '_dmarc',
  value: 'v=DMARC1; p=none; np=reject;',
};

/** Key of the check of a DKIM record. */
export const dkimKey = (selector: string): string => `dkim ${selector}`;

function dkimRecord({ selector, algorithm, publicKey, retiredAt }: DomainKeyEntity): WantedRecord {
  return {
    kind: 'dkim',
    key: dkimKey(selector),
    name: `${selector}._domainkey`,
    value: `v=DKIM1; k=${algorithm}; p=${publicKey}`,
    selector,
    algorithm,
    publicKey,
    retiredAt,
  };
}

const challengeValue = (challenge: string): string => `emails-domain-verification=${challenge}`;
