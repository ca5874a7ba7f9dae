import { resolve } from 'node:dns/promises';
import { inTime } from '../../shared/work/in-time.js';
import { importPeer } from './import-peer.js';
import type { ListenerOptions } from './listener.options.js';

/** Time limit for the DNS of all signatures of a message. Milliseconds. */
const PATIENCE = 20_000;

/** A relay adds one or two. Each of them costs a hash of the body. */
const MAX_SIGNATURES = 10;
/** Bytes and lines of a header. The verifier reads one in a time that grows with the square of its lines. */
const MAX_HEADER = 65_536;
const MAX_LINES = 1_000;

type Verify = typeof import('mailauth').dkimVerify;
type Resolver = (name: string, type: string) => Promise<unknown>;

/** Decides whether a feedback report counts: by a signature of a sender that the host names (DKIM, RFC 6376). */
export class FeedbackTrust {
  private constructor(
    private readonly senders: readonly string[] | 'anyone',
    private readonly verify: Verify | undefined,
    private readonly dns: Resolver,
  ) {}

  /** @throws Error when a package is missing */
  static async of(
    { feedbackSenders = [] }: Pick<ListenerOptions, 'feedbackSenders'>,
    dns: Resolver = resolve as Resolver,
  ): Promise<FeedbackTrust> {
    if (feedbackSenders === 'anyone' || feedbackSenders.length === 0)
      return new FeedbackTrust(feedbackSenders, undefined, dns);
    const { dkimVerify } = await importPeer('mailauth', 'listener.feedbackSenders', () => import('mailauth'));
    const senders = feedbackSenders.map((sender) => sender.toLowerCase());
    return new FeedbackTrust(senders, dkimVerify, dns);
  }

  /** @throws SignatureUnknown when it is not known at the moment */
  async admits(message: Buffer): Promise<boolean> {
    const { senders, verify } = this;
    if (senders === 'anyone') return true;
    if (!verify || !isOrdinary(message)) return false;
    const resolver = (name: string, type: string) => this.keyOf(name, type, senders);
    const { results } = await inTime(verify(message, { resolver } as Parameters<Verify>[1]), PATIENCE, () => {
      throw new SignatureUnknown();
    });
    const ours = results.filter(({ signingDomain }) => senders.includes(String(signingDomain).toLowerCase()));
    // A signature of a part (`l=`) lets anybody add to the message.
    if (ours.some(({ status }) => status.result === 'pass' && !status.underSized)) return true;
    if (ours.some(({ status }) => status.result === 'temperror')) throw new SignatureUnknown();
    return false;
  }

  /** A message may have thousands of signatures of any domain: only keys of the named senders are looked up. */
  private async keyOf(name: string, type: string, senders: readonly string[]): Promise<unknown> {
    if (senders.some((sender) => name.toLowerCase().endsWith(`._domainkey.${sender}`))) return this.dns(name, type);
    throw Object.assign(new Error('Not a key of a named sender.'), { code: 'ENOTFOUND' });
  }
}

/** True for a message that can be verified in a moment. */
function isOrdinary(message: Buffer): boolean {
  const start = message.toString('latin1', 0, MAX_HEADER);
  const end = start.search(/\n\r?\n/);
  if (end === -1 && message.length > MAX_HEADER) return false;
  const header = end === -1 ? start : start.slice(0, end);
  const signatures = header.match(/^dkim-signature[ \t]*:/gim) ?? [];
  return header.split('\n', MAX_LINES + 1).length <= MAX_LINES && signatures.length <= MAX_SIGNATURES;
}

/** The signature could not be checked now. */
export class SignatureUnknown extends Error {
  override readonly name = 'SignatureUnknown';
}
