import assert from 'node:assert/strict';
import type { Caller } from '../../shared/callers/caller.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { wrongAccountId } from '../../shared/text/account-id.js';

/** Checks the shape of a caller. */
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
 * Checks that work refuses an unknown caller.
 *
 * @param secret must not appear in the refusal
 */
export async function checkRefused(work: () => unknown, secret = ''): Promise<void> {
  let refusal: unknown;
  try {
    await work();
  } catch (error) {
    refusal = error;
  }
  assert.ok(refusal !== undefined, 'An unknown caller was admitted.');
  assert.ok(refusal instanceof ApiError, 'A refusal must be an ApiError of nestjs-emails, or it is answered 500.');
  assert.equal(refusal.statusCode, 401, `An unknown caller must be answered 401, not ${refusal.statusCode}.`);
  const answer = JSON.stringify([refusal.toBody(), refusal.headers]);
  // Shorter secrets may appear by chance.
  assert.ok(
    secret.length < 8 || !answer.includes(JSON.stringify(secret).slice(1, -1)),
    'A refusal must repeat no secret.',
  );
}
