import { list, type Rule, type Rules, secret } from '../shared/options/rules.js';
import { type UnsubscribeOptions, unsubscribeRule } from './unsubscribe/unsubscribe.options.js';

/** Options of `audience`. */
export interface AudienceOptions {
  /**
   * Secrets of the installation, each of 32 characters or more, the same in every process. Keys derived from them encrypt
   * the tokens of unsubscribe links: the first is in use, all are accepted. A link in an email works as long as its secret
   * is among them. Default: the core's secrets; without any, no email gets a link.
   */
  secretKeys?: readonly string[];

  /**
   * Unsubscribe links: `List-Unsubscribe`, the placeholders, and the page of choices at `/unsubscribe/:token`. Needs the
   * core's `publicUrl`, else links lead to the address on which the process listens. False: no email gets a link, and
   * every link is answered with 404. Default: links, with the page of the library in English.
   */
  unsubscribe?: UnsubscribeOptions | false;
}

const unsubscribe: Rule = (path, value) => (value === false ? [] : unsubscribeRule(path, value));

export const AUDIENCE_RULES: Rules<AudienceOptions> = { secretKeys: list(secret), unsubscribe };
