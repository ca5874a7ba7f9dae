import assert from 'node:assert/strict';
import type { Caller } from '../../shared/callers/caller.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { wrongAccountId } from '../../shared/text/account-id.js';

/** What every caller has, whoever it is. */
export function checkCaller(caller: Caller | undefined, expected: Caller): void {
  const wrong = wrongAccountId(caller?.accountId);
  assert.equal(wrong, undefined, `The account id ${wrong}.`);
  const permission = caller?.permission;
  const isOne = permission === 'full_access' || permission === 'sending_access';
  assert.ok(isOne, 'The permission must be full_access or sending_access.');
  assert.equal(caller?.accountId, expected.accountId, 'It is another account.');
  assert.equal(permission, expected.permission, 'It is another permission.');
}

/**
 * Work that has to refuse who nobody is.
 *
 * @param secret which the refusal may not repeat
 */
export async function checkRefused(work: () => unknown, secret = ''): Promise<void> {
  let refusal: unknown;
  try {
    await work();
  } catch (error) {
    refusal = error;
  }
  assert.ok(refusal !== undefined, 'Somebody unknown was let in.');
  assert.ok(refusal instanceof ApiError, 'A refusal must be an ApiError of nestjs-emails, or it is answered 500.');
  assert.equal(refusal.statusCode, 401, `Somebody unknown must be answered 401, not ${refusal.statusCode}.`);
  const said = JSON.stringify([refusal.toBody(), refusal.headers]);
  // Shorter ones may be there by chance.
  assert.ok(
    secret.length < 8 || !said.includes(JSON.stringify(secret).slice(1, -1)),
    'A refusal must repeat no secret.',
  );
}
