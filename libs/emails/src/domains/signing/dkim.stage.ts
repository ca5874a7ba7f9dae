import {
  isDatabaseUnavailable,
  type MessageSigner,
  type MessageStage,
  type StagedMessage,
  type StageResult,
} from '../../index.js';
import type { SendingOptions } from '../sending.options.js';
import { CannotSign, dkimSignatures } from './dkim/dkim-signer.js';
import { headerFields } from './dkim/header-fields.js';
import { digestOf } from './dkim/message-digest.js';
import type { SigningFaults } from './faults/signing-faults.js';
import { feedbackId } from './feedback-id.js';
import type { SigningKey, SigningKeys } from './signing-keys.js';

/** Amazon SES replaces these two (Amazon SES Developer Guide, manual DKIM signing). */
const REPLACED_BY_SES = ['message-id', 'date'];
const FEEDBACK_ID = new Set(['feedback-id']);

/**
 * Signs the messages of domains that have keys, as the last of the stages. A message that should be signed and cannot is not
 * sent: the stage rejects, and the email is tried again.
 */
export class DkimStage implements MessageStage, MessageSigner {
  readonly isSignature = true;

  constructor(
    private readonly keys: Pick<SigningKeys, 'of'>,
    private readonly faults: Pick<SigningFaults, 'failed' | 'signed'>,
    private readonly options: Pick<SendingOptions, 'relay' | 'feedbackId'>,
  ) {}

  async signs(accountId: string, fromDomain: string): Promise<boolean> {
    return this.noted(accountId, fromDomain, async () => (await this.keysOf(accountId, fromDomain)).length > 0);
  }

  async apply(message: StagedMessage): Promise<StageResult | undefined> {
    const { accountId, fromDomain } = message;
    return this.noted(accountId, fromDomain, async () => {
      const keys = await this.keysOf(accountId, fromDomain);
      if (keys.length === 0) return undefined;
      const headers = await this.headers(message, keys);
      this.faults.signed(accountId, fromDomain);
      return { headers };
    });
  }

  private async headers(message: StagedMessage, keys: readonly SigningKey[]): Promise<(readonly [string, string])[]> {
    const digest = await digestOf(message.raw);
    const added = this.feedbackField(message, digest.header);
    const rules = { domain: message.fromDomain, added };
    const signatures = this.isSentBySes(message)
      ? await dkimSignatures(digest, { ...rules, keys: keys.slice(0, 1), replaced: REPLACED_BY_SES })
      : await dkimSignatures(digest, { ...rules, keys });
    return [...signatures.map((value) => ['DKIM-Signature', value] as const), ...added];
  }

  private async keysOf(accountId: string, fromDomain: string): Promise<readonly SigningKey[]> {
    try {
      return await this.keys.of(accountId, fromDomain);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      throw new CannotSign(error);
    }
  }

  private async noted<T>(accountId: string, fromDomain: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof CannotSign) this.faults.failed(accountId, fromDomain, error);
      throw error;
    }
  }

  private isSentBySes({ transport }: StagedMessage): boolean {
    return (this.options.relay ?? transport.kind) === 'ses';
  }

  /** The caller's own field stays. */
  private feedbackField({ accountId, topicId }: StagedMessage, header: string): (readonly [string, string])[] {
    const { feedbackId: sender } = this.options;
    if (sender === undefined || headerFields(header, FEEDBACK_ID).length > 0) return [];
    return [['Feedback-ID', feedbackId({ accountId, topicId }, sender)]];
  }
}
