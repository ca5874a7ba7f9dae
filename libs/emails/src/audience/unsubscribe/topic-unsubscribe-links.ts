import { Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import type { TopicRecipient, UnsubscribeLinks } from '../../index.js';
import { hasRoute, listeningAddress } from '../../shared/routes/listening-address.js';
import type { ReaderChoices } from './choices/reader-choices.js';
import type { UnsubscribeTokens } from './unsubscribe-tokens.js';

/** The route of links, below the public address. */
const ROUTE = '/unsubscribe/:token';

/** Unsubscribe links of recipients: `{publicUrl}/unsubscribe/{token}`. */
export class TopicUnsubscribeLinks implements UnsubscribeLinks, OnApplicationBootstrap {
  private readonly logger = new Logger(TopicUnsubscribeLinks.name);
  private readonly publicUrl: string | undefined;

  constructor(
    private readonly tokens: UnsubscribeTokens,
    private readonly choices: ReaderChoices,
    private readonly adapterHost: HttpAdapterHost,
    publicUrl?: string,
  ) {
    this.publicUrl = publicUrl?.replace(/\/+$/, '');
  }

  /** Warns where no link can be made although there is a secret, such as in a worker without routes. */
  onApplicationBootstrap(): void {
    if (this.publicUrl !== undefined || !this.tokens.canWrite || hasRoute(this.adapterHost, ROUTE)) return;
    this.logger.warn(
      '`publicUrl` (`PUBLIC_URL`) is not set, and this process has no routes: emails with a topic get no ' +
        '`List-Unsubscribe` here, and those with a placeholder for the link wait.',
    );
  }

  /** Undefined without a secret, and where neither `publicUrl` is set nor this process listens. */
  linkOf(recipient: TopicRecipient): string | undefined {
    const address = this.publicUrl ?? listeningAddress(this.adapterHost, ROUTE);
    const token = address === undefined ? undefined : this.tokens.write(recipient);
    return token === undefined ? undefined : `${address}/unsubscribe/${token}`;
  }

  async optOut(recipient: TopicRecipient): Promise<void> {
    await this.choices.optOut(recipient);
  }
}
