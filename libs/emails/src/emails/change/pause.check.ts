import { callOptions } from '../../shared/options/call-options.js';
import { wrongAccountId } from '../../shared/text/account-id.js';
import { isUuid } from '../../shared/text/is-uuid.js';
import { isLongerThan, isWellFormed } from '../../shared/text/text-rules.js';
import type { NewPause, PauseTarget } from '../ports/pause.js';
import { TRANSPORT_NAME } from '../ports/transport-name.js';

const TARGET = { account: true, topic: true, template: true, transport: true } as const;
const onlyTarget = callOptions<PauseTarget>('EmailsService.resume', TARGET);
const onlyPause = callOptions<NewPause>('EmailsService.pause', { ...TARGET, reason: true });

/** Longest id of a template. Characters. */
const LONGEST_ID = 255;

/** Returns the pause with its ids as they are stored. @throws TypeError, or Error for an unknown option */
export function checkPause(pause: NewPause): NewPause {
  onlyPause(pause);
  const { reason } = pause;
  if (typeof reason !== 'string' || reason.trim() === '')
    throw new TypeError('The `reason` of a pause must be a text.');
  return { ...targetOf(pause), reason };
}

/** Returns the target with its ids as they are stored. @throws TypeError, or Error for an unknown option */
export function checkTarget(target: PauseTarget): PauseTarget {
  onlyTarget(target);
  return targetOf(target);
}

function targetOf({ account, topic, template, transport }: PauseTarget): PauseTarget {
  if ([account, topic, template].filter((one) => one !== undefined).length > 1) {
    throw new TypeError('A pause has at most one of `account`, `topic` and `template`.');
  }
  const wrong = account === undefined ? undefined : wrongAccountId(account);
  if (wrong !== undefined) throw new TypeError(`The \`account\` of a pause ${wrong}.`);
  if (topic !== undefined && !isUuid(topic)) throw new TypeError('The `topic` of a pause must be the uuid of a topic.');
  if (template !== undefined && !isTemplateId(template)) {
    throw new TypeError('The `template` of a pause must be the id of a template.');
  }
  if (transport !== undefined && !(typeof transport === 'string' && TRANSPORT_NAME.test(transport))) {
    throw new TypeError('The `transport` of a pause must be the name of a transport.');
  }
  return {
    ...(account !== undefined && { account }),
    ...(topic !== undefined && { topic: topic.toLowerCase() }),
    ...(template !== undefined && { template }),
    ...(transport !== undefined && { transport }),
  };
}

function isTemplateId(id: unknown): boolean {
  return typeof id === 'string' && id !== '' && !isLongerThan(id, LONGEST_ID) && !id.includes('\0') && isWellFormed(id);
}
