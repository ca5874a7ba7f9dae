/** Names of accounts are unique. */
export class AccountExistsError extends Error {
  override readonly name = 'AccountExistsError';

  constructor(account: string) {
    super(`An account named ${JSON.stringify(account)} exists already. Choose another name.`);
  }
}
