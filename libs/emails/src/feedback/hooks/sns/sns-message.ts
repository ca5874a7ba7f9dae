import { type KeyObject, verify } from 'node:crypto';
import { FEEDBACK_LIMITS } from '../../limits.js';
import { isRecent } from '../is-recent.js';
import type { JsonView } from '../json-view.js';
import { isCertificateUrl } from './sns-urls.js';

const CONFIRMED = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];

/** Signed fields of each type, in the order of their bytes; one that is absent is not signed. */
const SIGNED: ReadonlyMap<string, readonly string[]> = new Map([
  ['Notification', ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']],
  ['SubscriptionConfirmation', CONFIRMED],
  ['UnsubscribeConfirmation', CONFIRMED],
]);

/** Hashes of the versions of the signature, each with RSA. */
const HASHES: ReadonlyMap<string, string> = new Map([
  ['1', 'sha1'],
  ['2', 'sha256'],
]);

/** A message of Amazon SNS, which proves nothing until its signature is checked. */
export class SnsMessage {
  constructor(private readonly fields: JsonView) {}

  get type(): string {
    return this.field('Type');
  }

  /** ARN. */
  get topic(): string {
    return this.field('TopicArn');
  }

  /** Region of the topic, whose SNS signs. */
  get region(): string {
    return this.topic.split(':')[3] ?? '';
  }

  get text(): string {
    return this.field('Message');
  }

  get subscribeUrl(): string {
    return this.field('SubscribeURL');
  }

  get certificateUrl(): string {
    return this.field('SigningCertURL');
  }

  /** True if everything that a signature needs is there, recent, and at SNS: without that, no certificate is fetched. */
  get isVerifiable(): boolean {
    return (
      SIGNED.has(this.type) &&
      HASHES.has(this.field('SignatureVersion')) &&
      isRecent(Date.parse(this.field('Timestamp')), FEEDBACK_LIMITS.snsAge.max) &&
      isCertificateUrl(this.certificateUrl, this.region)
    );
  }

  isSignedBy(key: KeyObject): boolean {
    const hash = HASHES.get(this.field('SignatureVersion'));
    if (hash === undefined || key.asymmetricKeyType !== 'rsa') return false;
    return verify(hash, Buffer.from(this.signed()), key, Buffer.from(this.field('Signature'), 'base64'));
  }

  private signed(): string {
    const names = SIGNED.get(this.type) ?? [];
    const lines = names.map((name) => [name, this.fields.at(name).exact]);
    return lines
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}\n${value}\n`)
      .join('');
  }

  private field(name: string): string {
    return this.fields.at(name).exact ?? '';
  }
}
