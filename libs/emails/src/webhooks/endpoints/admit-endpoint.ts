import { isIPv4 } from 'node:net';
import { ApiError } from '../../shared/errors/api-error.js';
import { sentence } from '../../shared/validation/sentence.js';
import type { EndpointPolicy } from '../net/endpoint-policy.js';

/** Scheme and authority in the form in which the URL parser accepts them without a correction. */
const PLAIN = /^https?:\/\/[^/\\?#@%]+([/?#]|$)/i;

/**
 * Checks the target of requests without a DNS lookup. An endpoint is stored as typed, so that readers see what was
 * written; a text that the URL parser reads as another target than it looks like is refused.
 *
 * @throws ApiError 422
 */
export function admitEndpoint(policy: Pick<EndpointPolicy, 'admit'>, endpoint: string): void {
  const wrong = targetProblem(policy, endpoint);
  if (wrong !== undefined) throw ApiError.invalid(sentence('endpoint', wrong));
}

function targetProblem(policy: Pick<EndpointPolicy, 'admit'>, endpoint: string): string | undefined {
  let hostname: string;
  try {
    ({ hostname } = policy.admit(endpoint));
  } catch (error) {
    return (error as Error).message;
  }
  if (!PLAIN.test(endpoint)) return 'must have `//` and a host without `@` and `%` after its scheme';
  if (isIPv4(hostname) && !endpoint.includes(`//${hostname}`)) return `must have \`${hostname}\` spelled like this`;
  return undefined;
}
