import { ApiError } from 'nestjs-emails';
import { PAGE_LIMITS } from '../limits.js';

/** One address that can stand in an SMTP command: no blank, control character, half of a surrogate pair or separator. */
const ADDRESS = /^[^\s<>@,;\p{Cc}\p{Cs}]{1,64}@[^\s<>@,;\p{Cc}\p{Cs}]{1,255}$/u;

/** The recipients in the body `{to}` of a release. @throws ApiError 422 */
export function readRecipients(body: unknown): string[] {
  const to: unknown = typeof body === 'object' && body !== null && 'to' in body ? body.to : undefined;
  const { max } = PAGE_LIMITS.released;
  if (!Array.isArray(to) || to.length === 0 || to.length > max)
    throw ApiError.invalid(`\`to\` must be a list of 1 to ${max} addresses.`);
  const wrong = to.findIndex((address) => typeof address !== 'string' || !ADDRESS.test(address));
  if (wrong >= 0) throw ApiError.invalid(`\`to[${wrong}]\` must be an address such as \`name@example.com\`.`);
  return [...new Set(to as string[])];
}
