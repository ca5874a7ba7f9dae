import {
  ChartColumn,
  Globe,
  HeartPulse,
  History,
  Inbox,
  KeyRound,
  LayoutTemplate,
  type LucideIcon,
  Mails,
  Rocket,
  ShieldOff,
  Tags,
  UserRound,
  Users,
  Webhook,
} from 'lucide-react';
import { allows } from 'nestjs-emails/facts';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { SCREEN_ROWS, type ScreenName } from '../../../src/screens';
import type { Session } from '../api/session';

import { patiently } from './patient';

type Load = () => Promise<{ default: ComponentType }>;

/** Each screen is a separate chunk, loaded when it is opened. */
const CHUNKS: Readonly<Record<ScreenName, Load>> = {
  inbox: () => import('../screens/inbox/inbox-screen'),
  emails: () => import('../screens/emails/emails-screen'),
  person: () => import('../screens/person/person-screen'),
  metrics: () => import('../screens/metrics/metrics-screen'),
  templates: () => import('../screens/templates/templates-screen'),
  topics: () => import('../screens/topics/topics-screen'),
  contacts: () => import('../screens/contacts/contacts-screen'),
  suppressions: () => import('../screens/suppressions/suppressions-screen'),
  domains: () => import('../screens/domains/domains-screen'),
  webhooks: () => import('../screens/webhooks/webhooks-screen'),
  activity: () => import('../screens/activity/activity-screen'),
  keys: () => import('../screens/keys/keys-screen'),
  start: () => import('../screens/start/start-screen'),
  health: () => import('../screens/health/health-screen'),
};

const ICONS: Readonly<Record<ScreenName, LucideIcon>> = {
  inbox: Inbox,
  emails: Mails,
  metrics: ChartColumn,
  templates: LayoutTemplate,
  topics: Tags,
  contacts: Users,
  suppressions: ShieldOff,
  domains: Globe,
  webhooks: Webhook,
  keys: KeyRound,
  activity: History,
  health: HeartPulse,
  start: Rocket,
  person: UserRound,
};

/** A screen of the navigation. */
export interface ScreenEntry
  extends Pick<(typeof SCREEN_ROWS)[number][1], 'path' | 'title' | 'feature' | 'keys' | 'needs' | 'isUnlisted'> {
  name: ScreenName;
  /** Its path; paths below it belong to it too. */
  pattern: string;
  icon: LucideIcon;
  Screen: LazyExoticComponent<ComponentType>;
  /** Preloads it. */
  load: Load;
}

const SCREENS: readonly ScreenEntry[] = SCREEN_ROWS.map(([name, { path, below = '', ...row }]) => {
  const load = CHUNKS[name];
  return { ...row, name, path, pattern: path + below, icon: ICONS[name], load, Screen: lazy(() => patiently(load)) };
});

/** The screens of this host for a visitor. */
export function screensOf({ features, role }: Pick<Session, 'features' | 'role'>): readonly ScreenEntry[] {
  return SCREENS.filter(
    ({ feature, needs = 'viewer' as const }) => features[feature] && role !== null && allows(role, needs),
  );
}

/** Preloads the screen at a path below the mount path while the visitor is being identified. */
export function preload(path: string): void {
  const entry = SCREENS.find((screen) => path === screen.path || path.startsWith(`${screen.path}/`));
  // A failure here is tried again, and shown, when the screen is opened.
  entry?.load().catch(() => {});
}
