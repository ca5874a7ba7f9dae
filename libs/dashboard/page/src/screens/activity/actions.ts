import { ACTIONS, type ActionName } from 'nestjs-emails/facts';
import type { Features } from '../../api/session';
import type { Action } from '../../api/types';
import { shortId } from '../../parts/copyable';
import { plainName } from '../../parts/plain-name';
import { NOUNS, SENTENCES, TEXTS } from './texts';

/** A changed object; without `href` it is gone, or has no screen. */
export interface Changed {
  id: string;
  title: string;
  href: string | undefined;
}

/** Screens of objects, with the feature that a host must have. */
const SCREENS: Readonly<Record<string, { feature: keyof Features; path: string }>> = {
  email: { feature: 'emails', path: '/emails' },
  topic: { feature: 'topics', path: '/topics' },
  contact: { feature: 'contacts', path: '/contacts' },
  suppression: { feature: 'suppressions', path: '/suppressions' },
  domain: { feature: 'domains', path: '/domains' },
  template: { feature: 'templates', path: '/templates' },
  webhook: { feature: 'webhooks', path: '/webhooks' },
};

/** Actions after which an object is gone. */
const GONE: readonly (string | undefined)[] = ['delete', 'undo'];

/** A sentence for an action; the name of one that a feature of the host records. */
export function sentenceOf({ action, count }: Pick<Action, 'action' | 'count'>): string {
  return isKnown(action) ? SENTENCES[action](count) : action;
}

/** The objects of an action, with links to those that still exist. */
export function changedBy(
  { action, ids }: Pick<Action, 'action' | 'ids'>,
  features: Features,
  keys?: KeyNames,
): Changed[] {
  const [noun = '', verb] = action.split('.');
  const screen = SCREENS[noun];
  const hasScreen = screen !== undefined && features[screen.feature] === true && !GONE.includes(verb);
  const one = Object.hasOwn(NOUNS, noun) ? NOUNS[noun as keyof typeof NOUNS].one : noun;
  return ids.map((id) => ({
    id,
    title: `${one} ${plainName(keys?.get(id) ?? idOf(id))}`,
    href: hasScreen ? `${screen.path}/${encodeURIComponent(id)}` : undefined,
  }));
}

/** Names of keys by their ids; undefined until all are known. */
export type KeyNames = ReadonlyMap<string, string> | undefined;

/** "By API key Backend", "By a deleted API key (0192f0c1)". */
export function actorOf(id: string | null, keys: KeyNames): string {
  if (id === null) return TEXTS.hostPerson;
  const name = keys?.get(id);
  if (name !== undefined) return TEXTS.key(plainName(name));
  return keys ? TEXTS.deletedKey(shortId(id)) : TEXTS.key(shortId(id));
}

/** The actions of the filter, by groups in the order of the contract. */
export function actionGroups(): { group: string; actions: ActionName[] }[] {
  const names = Object.keys(ACTIONS) as ActionName[];
  const groups = new Map<string, ActionName[]>();
  for (const name of names) {
    const { group } = NOUNS[name.split('.')[0] as keyof typeof NOUNS];
    groups.set(group, [...(groups.get(group) ?? []), name]);
  }
  return [...groups].map(([group, actions]) => ({ group, actions }));
}

/** Both ends: ids that were made in the same minute begin alike. */
function idOf(id: string): string {
  return id.length > 12 ? `${shortId(id)}…${id.slice(-4)}` : id;
}

function isKnown(action: string): action is ActionName {
  return Object.hasOwn(ACTIONS, action);
}
