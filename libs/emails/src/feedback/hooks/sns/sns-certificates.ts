import { type KeyObject, X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { inTime } from '../../../shared/work/in-time.js';
import { Semaphore } from '../../../shared/work/semaphore.js';
import { FEEDBACK_LIMITS } from '../../limits.js';
import { unproven } from '../unproven.js';
import { certificatesIn, leadsToRoot } from './certificate-chain.js';
import { type SnsFiles, snsAway } from './sns-files.js';

const DAY = 86_400_000;
/** Certificates in memory: SNS has one for a region, and a new one each year. */
const KEPT = 20;
/** Certificates that are fetched at once: a stranger can name any of SNS's addresses. */
const AT_ONCE = 4;

/**
 * Names in the certificates of SNS: `sns.amazonaws.com`, `sns-signing.af-south-1.amazonaws.com`,
 * `sns-cn-north-1.amazonaws.com.cn` (aws-sdk-java-v2, services-custom/sns-message-manager, read 2026-11-26).
 */
const NAME = /^sns(-signing)?([.-][a-z]{2}(-[a-z]+){1,3}-\d{1,2})?\.amazonaws\.com(\.cn)?$/;

interface Kept {
  key: KeyObject;
  until: number;
}

/** The keys with which SNS signs. Each certificate is checked when it comes, and once a day. */
export class SnsCertificates {
  private readonly kept = new Map<string, Kept>();
  private readonly turns = new Semaphore(AT_ONCE);
  private roots: readonly X509Certificate[] | undefined;

  /**
   * @param trusted roots in PEM. Default: those of Node
   * @param patience for a look-up, with the wait for its turn. Milliseconds
   */
  constructor(
    private readonly files: SnsFiles,
    private readonly trusted: readonly string[] = rootCertificates,
    private readonly patience = FEEDBACK_LIMITS.snsTime.max,
  ) {}

  /**
   * The key of the certificate at a URL of SNS.
   *
   * @throws ApiError 401 for a certificate that is not one of SNS or leads to no root, 503 when it cannot be fetched
   * in time
   */
  async keyOf(url: string): Promise<KeyObject> {
    const kept = this.kept.get(url);
    if (kept && Date.now() < kept.until) return kept.key;
    return inTime(this.inTurn(url), this.patience, () => {
      throw snsAway();
    });
  }

  private async inTurn(url: string): Promise<KeyObject> {
    if (!(await this.turns.acquire(this.patience))) throw snsAway();
    try {
      return await this.fetched(url);
    } finally {
      this.turns.release();
    }
  }

  private async fetched(url: string): Promise<KeyObject> {
    const again = this.kept.get(url);
    if (again && Date.now() < again.until) return again.key;
    const certificate = await this.checked(await this.files.get(url));
    if (!certificate) throw unproven('The certificate of this message is not one of Amazon SNS.');
    const key = certificate.publicKey;
    this.kept.delete(url);
    this.kept.set(url, { key, until: Math.min(Date.now() + DAY, Date.parse(certificate.validTo)) });
    const [oldest] = this.kept.keys();
    if (this.kept.size > KEPT && oldest !== undefined) this.kept.delete(oldest);
    return key;
  }

  private async checked(bytes: Buffer): Promise<X509Certificate | undefined> {
    const given = parsed(bytes);
    const [first] = given;
    if (!first || first.ca || !namesOf(first).some((name) => NAME.test(name))) return undefined;
    this.roots ??= this.trusted.map((pem) => new X509Certificate(pem));
    const sources = { roots: this.roots, fetch: (at: string) => this.files.get(at), now: Date.now() };
    return (await leadsToRoot(given, sources)) ? first : undefined;
  }
}

function parsed(bytes: Buffer): X509Certificate[] {
  try {
    return certificatesIn(bytes);
  } catch {
    return [];
  }
}

function namesOf({ subjectAltName = '' }: X509Certificate): string[] {
  return [...subjectAltName.matchAll(/(?:^|, )DNS:([^,"\s]+)/g)].map(([, name = '']) => name);
}
