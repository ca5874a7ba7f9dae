import type { PauseTarget } from '../ports/pause.js';

/** "all mail", "the mail of account acme", "all mail through smtp.example.net:587". */
export function namesOfPause({ account, topic, template, transport }: PauseTarget): string {
  const through = transport === undefined ? '' : ` through ${transport}`;
  if (account !== undefined) return `the mail of account ${account}${through}`;
  if (topic !== undefined) return `the mail of topic ${topic}${through}`;
  if (template !== undefined) return `the mail from template ${template}${through}`;
  return `all mail${through}`;
}
