import { createHmac } from 'node:crypto';
import { newSecret, signedHeaders } from './webhook-signature.js';

/**
 * Verification of a webhook in a client's way, after its source. Node's client itself runs in `signed-webhook.spec.ts`.
 */
interface Verifier {
  client: string;
  /** Signatures of another version are ignored. */
  onlyV1: boolean;
  /** Accepts only canonical base64 as a secret. */
  strict: boolean;
  /** Signs the timestamp as a number in place of its text. */
  asNumber: boolean;
}

const VERIFIERS: Verifier[] = [
  { client: 'Python 2.39', onlyV1: false, strict: false, asNumber: false },
  { client: 'Ruby 1.10', onlyV1: false, strict: true, asNumber: false },
  { client: 'Go', onlyV1: false, strict: true, asNumber: false },
  { client: 'PHP 1', onlyV1: true, strict: false, asNumber: true },
];

/** Tolerance in seconds, in both directions, the same for all. */
const TOLERANCE = 300;

function isVerified(
  { onlyV1, strict, asNumber }: Verifier,
  headers: Readonly<Record<string, string>>,
  body: string,
  secret: string,
  now: number,
): boolean {
  const { 'svix-id': id, 'svix-timestamp': timestamp = '', 'svix-signature': signatures = '' } = headers;
  if (!/^\d+$/.test(timestamp) || Math.abs(now - Number(timestamp)) > TOLERANCE) return false;
  const encoded = secret.replace(/^whsec_/, '');
  const key = Buffer.from(encoded, 'base64');
  if (strict && key.toString('base64') !== encoded) return false;
  const signed = `${id}.${asNumber ? Number(timestamp) : timestamp}.${body}`;
  const expected = createHmac('sha256', key).update(signed).digest('base64');
  return signatures.split(' ').some((signature) => {
    const [version, value] = [signature.slice(0, signature.indexOf(',')), signature.slice(signature.indexOf(',') + 1)];
    return value === expected && (version === 'v1' || !onlyV1);
  });
}

describe.each(VERIFIERS)('the signature of a webhook, as $client verifies it,', (verifier) => {
  const NOW = 1_795_238_761;
  const BODY = JSON.stringify({ type: 'email.sent', data: { subject: 'Grüße 🦊' } });
  const headersOf = (secrets: string[], timestamp = NOW) =>
    signedHeaders({ id: 'msg_1', timestamp, body: BODY }, secrets);

  it('matches each of the valid secrets, and no other', () => {
    const secrets = [newSecret(), newSecret(), newSecret()];
    const headers = headersOf(secrets);
    for (const secret of secrets) expect(isVerified(verifier, headers, BODY, secret, NOW)).toBe(true);
    expect(isVerified(verifier, headers, BODY, newSecret(), NOW)).toBe(false);
  });

  it('does not match another body, id or time', () => {
    const secret = newSecret();
    const headers = headersOf([secret]);
    expect(isVerified(verifier, headers, `${BODY} `, secret, NOW)).toBe(false);
    expect(isVerified(verifier, { ...headers, 'svix-id': 'msg_2' }, BODY, secret, NOW)).toBe(false);
    expect(isVerified(verifier, { ...headers, 'svix-timestamp': String(NOW + 1) }, BODY, secret, NOW)).toBe(false);
  });

  it('expires after five minutes', () => {
    const secret = newSecret();
    const headers = headersOf([secret]);
    expect(isVerified(verifier, headers, BODY, secret, NOW + TOLERANCE)).toBe(true);
    expect(isVerified(verifier, headers, BODY, secret, NOW + TOLERANCE + 1)).toBe(false);
  });
});
