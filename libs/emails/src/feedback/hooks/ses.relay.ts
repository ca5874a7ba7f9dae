import { Logger } from '@nestjs/common';
import { JsonView } from './json-view.js';
import type { Relay, RelayPost } from './relay.js';
import { sesReports } from './ses-reports.js';
import type { SnsCertificates } from './sns/sns-certificates.js';
import type { SnsFiles } from './sns/sns-files.js';
import { SnsMessage } from './sns/sns-message.js';
import { isConfirmation } from './sns/sns-urls.js';
import { unproven } from './unproven.js';

const NOTHING: RelayPost = { reports: [] };

/**
 * Notifications and events of Amazon SES, by the topics of SNS that the host names: SNS signs the messages of anybody's topic
 * (docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html, read 2026-11-26).
 */
export class SesRelay implements Relay {
  private readonly logger = new Logger(SesRelay.name);
  private readonly topics: ReadonlySet<string>;

  /** @param topics their ARNs */
  constructor(
    topics: readonly string[],
    private readonly certificates: Pick<SnsCertificates, 'keyOf'>,
    private readonly files: SnsFiles,
  ) {
    this.topics = new Set(topics);
  }

  /** The proof is in the body. */
  admit(): void {}

  async read(body: Buffer): Promise<RelayPost> {
    const message = new SnsMessage(JsonView.ofUnproven(body).orRefuse('a message of Amazon SNS'));
    if (!this.topics.has(message.topic)) throw unproven('This topic of Amazon SNS is not configured.');
    if (!message.isVerifiable) throw refusal();
    if (!message.isSignedBy(await this.certificates.keyOf(message.certificateUrl))) throw refusal();
    switch (message.type) {
      case 'Notification':
        return { reports: sesReports(message.text) };
      case 'SubscriptionConfirmation':
        await this.confirm(message);
        return NOTHING;
      default:
        this.logger.warn(`${message.topic} ended its subscription: Amazon SES reports nothing more by it.`);
        return NOTHING;
    }
  }

  private async confirm({ topic, subscribeUrl, region }: SnsMessage): Promise<void> {
    if (!isConfirmation(subscribeUrl, region)) throw refusal();
    await this.files.get(subscribeUrl);
    this.logger.log(`${topic} is subscribed: Amazon SES reports by it.`);
  }
}

function refusal() {
  return unproven('This request has no valid, recent signature of Amazon SNS.');
}
