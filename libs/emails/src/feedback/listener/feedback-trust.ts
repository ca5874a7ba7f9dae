import { resolve } from 'node:dns/promises';
import { importPeer } from '../../shared/features/import-peer.js';
import { inTime } from '../../shared/work/in-time.js';
import { countingSignatures } from './counting-signatures.js';
import type { ListenerOptions } from './listener.options.js';
import type { ReportThread } from './report-thread.js';
import type { KeyAnswer } from './verify-signatures.js';

/** Time limit for the DNS of a key. Milliseconds. */
const PATIENCE = 20_000;

type Resolver = (name: string, type: 'TXT') => Promise<string[][]>;

/** Decides whether a feedback report counts: by a signature of a sender that the host names (DKIM, RFC 6376). */
export class FeedbackTrust {
  private constructor(
    private readonly senders: readonly string[] | 'anyone',
    private readonly thread: Pick<ReportThread, 'verify'>,
    private readonly dns: Resolver,
  ) {}

  /** @throws Error when a package is missing */
  static async of(
    { feedbackSenders = [] }: Pick<ListenerOptions, 'feedbackSenders'>,
    thread: Pick<ReportThread, 'verify'>,
    dns: Resolver = resolve,
  ): Promise<FeedbackTrust> {
    if (feedbackSenders === 'anyone') return new FeedbackTrust(feedbackSenders, thread, dns);
    // Signatures are verified by it: its absence is to stop the start, not to refuse each report.
    if (feedbackSenders.length > 0)
      await importPeer('mailauth', 'Feature feedback: `listener.feedbackSenders`', () => import('mailauth'));
    const senders = feedbackSenders.map((sender) => sender.toLowerCase());
    return new FeedbackTrust(senders, thread, dns);
  }

  /**
   * @param network of the client that sent it
   * @throws SignatureUnknown when it is not known at the moment, ReportThreadBusy, and ThreadLimitError for a message that
   * cannot be verified
   */
  async admits(message: Buffer, network: string): Promise<boolean> {
    const { senders } = this;
    if (senders === 'anyone') return true;
    const signed = countingSignatures(message, senders);
    if (!signed) return false;
    const answers = await Promise.all(signed.keys.map(async (name) => [name, await this.keyOf(name)] as const));
    const verdict = await this.thread.verify(
      { message: signed.message, senders, keys: Object.fromEntries(answers) },
      network,
    );
    if (verdict === 'unknown') throw new SignatureUnknown();
    return verdict === 'pass';
  }

  /** The thread waits for no network. */
  private async keyOf(name: string): Promise<KeyAnswer> {
    try {
      return await inTime(
        this.dns(name, 'TXT').then((records) => ({ records })),
        PATIENCE,
        () => ({ code: 'ETIMEOUT' }),
      );
    } catch (error) {
      return { code: String((error as { code?: unknown } | null)?.code ?? 'EUNKNOWN') };
    }
  }
}

/** The signature could not be checked now. */
export class SignatureUnknown extends Error {
  override readonly name = 'SignatureUnknown';
}
