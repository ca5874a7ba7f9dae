import { Inject, Injectable, Optional } from '@nestjs/common';
import {
  type DeliveryReports,
  DOMAIN_DIRECTORY,
  type DomainDirectory,
  type MessageStage,
  type StagedMessage,
  type StageResult,
} from '../../index.js';
import { FEEDBACK_OPTIONS } from '../feedback.tokens.js';
import { hasField } from './has-field.js';
import { isRelayName, RELAY_FIELDS } from './relay-headers.js';
import { returnAddress } from './return-address.js';
import { isShortEnough, type ReturnPathOptions } from './return-path.options.js';
import { ReturnPathTokens } from './return-path-tokens.js';

/** Comes back with reports that carry the header, and in feedback reports that carry headers only. */
const REFERENCE = 'X-Email-Ref';

/** Lets reports on a message find its email: by the reverse-path, by a field of ours, and by a relay's own field. */
@Injectable()
export class ReturnPathStage implements MessageStage {
  /** Domains of the accounts may have to be looked up. */
  readonly isImmediate: boolean;

  /** @throws Error when there is a bounce domain without a secret */
  constructor(
    @Inject(FEEDBACK_OPTIONS) private readonly options: ReturnPathOptions,
    @Inject(ReturnPathTokens) private readonly tokens: Pick<ReturnPathTokens, 'sign'>,
    @Optional()
    @Inject(DOMAIN_DIRECTORY)
    private readonly directory?: Pick<DomainDirectory, 'returnPathOf'>,
  ) {
    this.isImmediate = directory === undefined;
    if (options.bounceDomain !== undefined && tokens.sign({ emailId: NO_EMAIL, recipient: 0 }) === undefined) {
      throw new Error('Feature feedback: `bounceDomain` needs `secretKeys`, which sign the return path.');
    }
  }

  async apply(message: StagedMessage): Promise<StageResult> {
    const { emailId } = message;
    const token = this.tokens.sign({ emailId, recipient: onlyRecipientOf(message) });
    const relay = await this.relayField(message);
    return {
      headers: [...(token === undefined ? [] : [[REFERENCE, token] as const]), ...relay],
      ...(token !== undefined && (await this.returnPath(token, message))),
    };
  }

  /** Below the sender's own domain where it is ready, so that SPF aligns with `from` (RFC 9989). */
  private async returnPath(token: string, { accountId, fromDomain }: StagedMessage): Promise<StageResult> {
    const { bounceDomain, confirmDelivery } = this.options;
    if (bounceDomain === undefined) return {};
    const own = await this.directory?.returnPathOf(accountId, fromDomain);
    const domain = own !== undefined && isShortEnough(own) ? own : bounceDomain;
    const notify: DeliveryReports['notify'] = confirmDelivery ? ['success', 'failure', 'delay'] : ['failure', 'delay'];
    return { envelopeFrom: returnAddress(token, domain), dsn: { ret: 'headers', envelopeId: token, notify } };
  }

  private async relayField({ emailId, transport, raw }: StagedMessage): Promise<(readonly [string, string])[]> {
    const relay = isRelayName(transport.kind) ? transport.kind : this.options.relay;
    if (relay === undefined) return [];
    const { name, value, isSingle } = RELAY_FIELDS[relay];
    // The caller's own field stays in force; the relay's id of the message still leads to the email.
    return isSingle && (await hasField(raw, name)) ? [] : [[name, value(emailId)]];
  }
}

const NO_EMAIL = '00000000-0000-0000-0000-000000000000';

/** Index of the only recipient of this message; undefined if there are several. */
function onlyRecipientOf({ envelope, recipients }: StagedMessage): number | undefined {
  const [address, ...others] = envelope.recipients;
  const index = address === undefined || others.length > 0 ? -1 : recipients.indexOf(address);
  return index === -1 ? undefined : index;
}
