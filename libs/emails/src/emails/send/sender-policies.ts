import { ApiError } from '../../shared/errors/api-error.js';
import { API_ERROR_NAMES } from '../../shared/errors/api-errors.js';
import { parseMailbox } from '../../shared/mailbox/mailbox.js';
import { inTime } from '../../shared/work/in-time.js';
import { checkedDecision } from '../ports/sender-decision.check.js';
import type { SenderDecision, SenderKey, SenderPolicy, SenderQuestion, SenderRefusal } from '../ports/sender-policy.js';

/** Time limit for all policies together, as at delivery. Milliseconds. */
const PATIENCE = 3_000;

/** The codes of refusals whose words are those of a policy. */
const CODES = new WeakMap<object, string>();

/** The code of a refusal whose words are those of a policy, and may name a person. Undefined for any other error. */
export function codeOfPolicy(error: object): string | undefined {
  return CODES.get(error);
}

/** Calls the sender policies in order. The first refusal counts. */
export class SenderPolicies {
  constructor(private readonly policies: readonly SenderPolicy[] = []) {}

  /** An instance for the emails of one request, which asks each question once. */
  forMany(): SenderPolicies {
    return this.policies.length === 0 ? this : new SenderPolicies(this.policies.map(once));
  }

  /**
   * @param from a mailbox
   * @returns the key's data for the check at delivery; undefined without a policy
   * @throws ApiError for a refusal, and 503 when the policies do not answer in time
   * @throws InvalidPolicyAnswer for an invalid decision
   */
  check(accountId: string, from: string, key: SenderKey | undefined): Promise<SenderKey> | undefined {
    return this.policies.length === 0 ? undefined : inTime(this.ask(accountId, from, key), PATIENCE, tooSlow);
  }

  private async ask(accountId: string, from: string, { apiKeyId, domainId }: SenderKey = {}): Promise<SenderKey> {
    const key = { ...(apiKeyId !== undefined && { apiKeyId }), ...(domainId !== undefined && { domainId }) };
    for (const policy of this.policies) {
      const question = { accountId, from: parseMailbox(from).envelope, ...key };
      const decision = checkedDecision(await decisionOf(policy, question));
      if (!decision.allowed) throw refusalOf(decision);
    }
    return key;
  }
}

async function decisionOf(policy: SenderPolicy, question: SenderQuestion): Promise<SenderDecision> {
  try {
    return await policy.decide(question);
  } catch (error) {
    if (error instanceof ApiError) CODES.set(error, error.name);
    throw error;
  }
}

function tooSlow(): never {
  throw ApiError.undecided();
}

function refusalOf({ code, message, status = 403, name }: SenderRefusal): ApiError {
  const byStatus = status === 403 ? 'invalid_access' : 'validation_error';
  const error = new ApiError(status, name ?? API_ERROR_NAMES.find((known) => known === code) ?? byStatus, message);
  CODES.set(error, code);
  return error;
}

function once(policy: SenderPolicy): SenderPolicy {
  const answers = new Map<string, SenderDecision | Promise<SenderDecision>>();
  return {
    decide: (question) => {
      const key = JSON.stringify(question);
      const answer = answers.get(key) ?? policy.decide(question);
      answers.set(key, answer);
      return answer;
    },
  };
}
