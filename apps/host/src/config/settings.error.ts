/** All problems of the environment, one line each. Contains no secret. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}
