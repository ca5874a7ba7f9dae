import { list, oneOf, type Rule, type Rules, text } from '../shared/options/rules.js';

/** Options of the mail that is sent from the domains. */
export interface SendingOptions {
  /**
   * Domains that `from` may have. `verified`: those alone that the account has verified. A domain with `sending: disabled`
   * counts as not verified. Default: `any`.
   */
  from?: 'any' | 'verified';

  /** Accounts whose emails have to leave, such as that of alarms: they may send from any domain. Default: none. */
  exemptAccounts?: readonly string[];

  /**
   * The relay behind the transport, if it replaces fields of the message: signatures do not cover them. `ses` replaces
   * `Message-ID` and `Date`, and accepts one signature of ours. A transport whose `kind` is that name needs no option.
   * Default: none.
   */
  relay?: 'ses';

  /**
   * Last part of the field `Feedback-ID` of signed messages, by which Gmail's Postmaster Tools show spam rates: 5 to 15
   * of `A-Za-z0-9_-`, the same for all mail of the installation. Before it come the topic, the account and the type
   * (`topic` or `single`). A field of the caller's own stays. Default: no such field.
   */
  feedbackId?: string;
}

const sender: Rule = (path, value) =>
  typeof value === 'string' && /^[\w-]{5,15}$/.test(value)
    ? []
    : [`\`${path}\` must be 5 to 15 of \`A-Z\`, \`a-z\`, \`0-9\`, \`_\` and \`-\`.`];

export const SENDING_RULES: Rules<SendingOptions> = {
  from: oneOf('any', 'verified'),
  exemptAccounts: list(text),
  relay: oneOf('ses'),
  feedbackId: sender,
};
