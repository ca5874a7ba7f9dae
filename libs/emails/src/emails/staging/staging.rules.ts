import { MailboxSyntaxError } from '../../shared/mailbox/mailbox-syntax-error.js';
import { both, list, type Rule, type Rules, text } from '../../shared/options/rules.js';
import { allowedOf } from './allowed-entry.js';
import { redirectMailboxOf } from './redirect-mailbox.js';
import type { StagingOptions } from './staging.options.js';

/** A text that a function reads without an error. */
function readable(what: string, read: (value: string) => unknown): Rule {
  return both(text, (path, value) => {
    try {
      read(value as string);
      return [];
    } catch (error) {
      if (!(error instanceof MailboxSyntaxError)) throw error;
      return [`\`${path}\` must be ${what}. ${error.message}`];
    }
  });
}

const allowed = readable('an address such as `me@example.net`, or a domain such as `example.org`', allowedOf);

export const STAGING_RULES: Rules<StagingOptions> = {
  onlyTo: both(list(allowed), (path, value) =>
    (value as readonly unknown[]).length > 0
      ? []
      : [`\`${path}\` must have an address or a domain (got an empty list).`],
  ),
  redirectAllTo: readable('an address such as `me@example.net`', redirectMailboxOf),
};
