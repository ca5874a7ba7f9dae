import { API_ERROR_NAMES } from '../../shared/errors/api-errors.js';
import { REASON_CODE } from '../states/reason-codes.js';
import { InvalidPolicyAnswer } from './invalid-policy-answer.js';
import type { SenderDecision, SenderRefusal } from './sender-policy.js';

const RULES: Readonly<Record<keyof SenderRefusal, { holds: (value: unknown) => boolean; must: string }>> = {
  allowed: { holds: (value) => value === false, must: 'be true or false' },
  code: {
    holds: (value) => typeof value === 'string' && REASON_CODE.test(value),
    must: 'have 1 to 50 characters of a-z, 0-9 and _',
  },
  message: { holds: (value) => typeof value === 'string' && value !== '', must: 'be a text' },
  status: { holds: (value) => [undefined, 403, 422].includes(value as number | undefined), must: 'be 403 or 422' },
  name: {
    holds: (value) => value === undefined || (API_ERROR_NAMES as readonly unknown[]).includes(value),
    must: 'be in the table of errors',
  },
};

/**
 * Returns the decision of a sender policy if it is valid. The same check holds at acceptance and at delivery.
 *
 * @throws InvalidPolicyAnswer that names the property and says what would be right
 */
export function checkedDecision(decision: SenderDecision | null | undefined): SenderDecision {
  if (decision?.allowed === true) return decision;
  for (const [property, { holds, must }] of Object.entries(RULES)) {
    if (!holds(decision?.[property as keyof SenderDecision])) {
      throw new InvalidPolicyAnswer(`\`${property}\` of a sender policy's decision must ${must}.`);
    }
  }
  return decision as SenderRefusal;
}
