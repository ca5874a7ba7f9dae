import type { Logger } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';
import { wrongAccountId } from '../text/account-id.js';

/**
 * Checks the id of an account that the host gave for a request.
 *
 * @param giver source of the id, written to follow "The account id that"
 * @throws ApiError 500 for a mistake of the host, which the log explains
 */
export function checkAccount(accountId: unknown, giver: string, logger: Logger): void {
  const wrong = wrongAccountId(accountId);
  if (wrong === undefined) return;
  logger.error(`The account id that ${giver} ${wrong}.`);
  throw ApiError.bug();
}
