import type { PauseTarget } from 'nestjs-emails';

/** True if the pause keeps all mail, through every transport. */
export function isOfAllMail({ account, topic, template, transport }: PauseTarget): boolean {
  return [account, topic, template, transport].every((one) => one === undefined);
}
