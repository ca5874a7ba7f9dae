import { Resolver } from 'node:dns/promises';
import { createReadStream } from 'node:fs';
import { type CheckedSignature, type DkimStatus, NONE, type SignatureTask } from './signature-check.js';

/** Time for one try of a look-up, and their number. Milliseconds. */
const TIMEOUT = 1_000;
const TRIES = 2;
/** Further signatures of a message are not listed. */
const LISTED = 10;
/** Limit of a shown name or reason. Characters. */
const SHOWN = 255;
const UNREADABLE: DkimStatus = { status: 'fail', signatures: [] };

/** Verifies the DKIM signatures of a message. Runs in a thread: the message may be anybody's. */
export async function checkSignatures({ file, known, dnsServers }: SignatureTask): Promise<DkimStatus> {
  const { dkimVerify } = await import('mailauth');
  const dns = new Resolver({ timeout: TIMEOUT, tries: TRIES });
  if (dnsServers && dnsServers.length > 0) dns.setServers(dnsServers);
  const resolver = async (name: string): Promise<string[][]> =>
    known && name.toLowerCase().startsWith(`${known.selector}._domainkey.`) ? [[known.record]] : dns.resolveTxt(name);
  const verified = await dkimVerify(createReadStream(file), { resolver } as Parameters<typeof dkimVerify>[1]);
  const signatures = verified.results.filter(({ status }) => status.result !== 'none').map(checked);
  // The verifier passes over a signature that it cannot read.
  if (signatures.length === 0) return isSigned(verified) ? UNREADABLE : NONE;
  return { status: overall(signatures), signatures: signatures.slice(0, LISTED) };
}

type Verified = Awaited<ReturnType<typeof import('mailauth')['dkimVerify']>>;

const isSigned = ({ headers }: Verified): boolean =>
  Boolean(headers?.parsed.some(({ key }) => key === 'dkim-signature'));

function checked({ signingDomain, selector, status }: Verified['results'][number]): CheckedSignature {
  const isPartial = status.result === 'pass' && Boolean(status.underSized);
  const result = isPartial ? 'fail' : status.result;
  return {
    domain: shown(signingDomain),
    selector: shown(selector),
    algorithm: shown(status.header?.a),
    result: result === 'pass' || result === 'temperror' ? result : 'fail',
    aligned: Boolean(status.aligned),
    reason: result === 'pass' ? null : isPartial ? 'it covers only a part of the body' : shown(reasonOf(status)),
  };
}

function reasonOf({ comment, policy }: Verified['results'][number]['status']): unknown {
  return comment || policy?.['dkim-rules'] || 'bad signature';
}

function overall(signatures: readonly CheckedSignature[]): CheckedSignature['result'] {
  const results = signatures.map(({ result }) => result);
  if (results.includes('pass')) return 'pass';
  return results.includes('temperror') ? 'temperror' : 'fail';
}

const shown = (text: unknown): string => String(text ?? '').slice(0, SHOWN);
