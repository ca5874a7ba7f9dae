import { ApiError } from '../../shared/errors/api-error.js';
import { toAsciiDomain } from '../../shared/mailbox/domain.js';
import { MailboxSyntaxError } from '../../shared/mailbox/mailbox-syntax-error.js';

/** Longest name in DNS, as text without a final dot (RFC 1035 section 2.3.4). Characters. */
const LONGEST = 253;
/** In front of the domain in the longest name of a key: `s2611r99._domainkey.`. Characters. */
const LONGEST_PREFIX = 20;

/**
 * The name of a domain in lower-case A-labels, without a final dot: `EXAMPLE.com.` is `example.com`.
 *
 * @param returnPath label of the return path in front of it
 * @throws ApiError 422 for a text that is no name of a domain to send from
 */
export function readDomainName(text: string, returnPath: string): string {
  const name = asciiName(text.endsWith('.') ? text.slice(0, -1) : text);
  if (!name.includes('.')) {
    throw ApiError.invalid('`name` must be a domain with at least one dot, such as `example.com`.');
  }
  const prefix = Math.max(LONGEST_PREFIX, returnPath.length + 1);
  if (name.length + prefix > LONGEST) {
    throw ApiError.invalid(
      `\`name\` must have at most ${LONGEST - prefix} characters, so that its records have names.`,
    );
  }
  return name;
}

function asciiName(text: string): string {
  try {
    return toAsciiDomain(text);
  } catch (error) {
    if (!(error instanceof MailboxSyntaxError)) throw error;
    throw ApiError.invalid(`\`name\` must be a domain such as \`example.com\`. ${error.message}`);
  }
}
