import { mailbox } from '../../shared/validation/mailbox-rule.js';
import { type Rule, ruleDecorator } from '../../shared/validation/rule.js';
import { FEEDBACK_LIMITS } from '../limits.js';

const MAX = FEEDBACK_LIMITS.suppressions.max;
const WRONG = `must be an array of 1 to ${MAX} addresses`;

const isOneAddress = mailbox('must be one address such as `name@example.com`, without a name', {
  also: ({ address }, text) => address === text.trim(),
});

const addresses: Rule = (value, among) => {
  if (!Array.isArray(value) || value.length > MAX) return WRONG;
  for (const [at, address] of value.entries()) {
    const wrong = isOneAddress(address, among);
    if (wrong !== undefined) return `[${at}] ${wrong}`;
  }
  return undefined;
};

/** A list of addresses without names. The message names the index of the first other value. */
export const AreAddresses = () =>
  ruleDecorator('areAddresses', addresses, { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: MAX });
