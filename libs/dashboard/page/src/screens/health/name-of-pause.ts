import type { PauseReport } from '../../../../src/operations/dashboard-operations';
import { plainName } from '../../parts/plain-name';
import { TEXTS } from './texts';

const names = TEXTS.paused.names;

/** "All mail", "Account acme, through smtp.example.net:587". */
export function nameOfPause({ account, topic, template, transport }: Omit<PauseReport, 'since' | 'reason'>): string {
  let mail: string = names.everything;
  if (account !== undefined) mail = names.account(plainName(account));
  else if (topic !== undefined) mail = names.topic(topic);
  else if (template !== undefined) mail = names.template(plainName(template));
  return transport === undefined ? mail : names.through(mail, plainName(transport));
}
