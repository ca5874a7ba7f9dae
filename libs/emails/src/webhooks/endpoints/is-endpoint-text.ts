import { type Rule, ruleDecorator } from '../../shared/validation/rule.js';

/** Invisible characters, and those that reverse text. The URL parser skips some of them; a log or a page might not. */
const UNSEEN = /[\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;

const endpointText: Rule = (value) => {
  if (typeof value !== 'string') return 'must be a string';
  if (UNSEEN.test(value)) return 'must have no spaces, control characters or other invisible characters';
  return value.includes('\\') ? 'must have no backslash' : undefined;
};

/** The text of an endpoint, which is stored as typed. `admitEndpoint` checks its target. */
export const IsEndpointText = () =>
  ruleDecorator('isEndpointText', endpointText, { type: 'string', format: 'uri', maxLength: 2_048 });
