import { passes, ruleDecorator } from '../../shared/validation/rule.js';
import { ALGORITHMS } from './domain-fields.js';

function areAlgorithms(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0 || value.length > ALGORITHMS.length) return false;
  return value.every((one) => ALGORITHMS.includes(one)) && value.includes('rsa');
}

/** Algorithms of the keys to make: RSA, which all receivers verify, and Ed25519 next to it on request. */
export const AreAlgorithms = () =>
  ruleDecorator('areAlgorithms', passes(areAlgorithms, "must be `['rsa']` or `['rsa', 'ed25519']`"), {
    type: 'array',
    items: { enum: ALGORITHMS },
    minItems: 1,
    maxItems: ALGORITHMS.length,
  });
