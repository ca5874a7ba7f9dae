import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { Features } from '../api/session';
import { patiently } from './patient';

/** A screen of the navigation. Each is a chunk of its own, loaded when it is opened. */
export interface ScreenEntry {
  /** Where it is, below the mount path. */
  path: string;
  /** What it answers to, with what lies below it. */
  pattern: string;
  title: string;
  feature: keyof Features;
  Screen: LazyExoticComponent<ComponentType>;
  /** Loads it ahead. */
  load: () => Promise<unknown>;
  /** Keys that it has beside those of all screens, and what they do. */
  keys?: readonly (readonly [string, string])[];
}

const chunkOf = (load: () => Promise<{ default: ComponentType }>) => ({ Screen: lazy(() => patiently(load)), load });

/** In the order of the navigation. */
const SCREENS: readonly ScreenEntry[] = [
  {
    path: '/inbox',
    pattern: '/inbox/:id?',
    title: 'Inbox',
    feature: 'inbox',
    ...chunkOf(() => import('../screens/inbox/inbox-screen')),
    keys: [
      ['#', 'Delete the message'],
      ['Delete', 'Delete the message'],
    ],
  },
  {
    path: '/emails',
    pattern: '/emails/:id?',
    title: 'Emails',
    feature: 'emails',
    ...chunkOf(() => import('../screens/emails/emails-screen')),
  },
  {
    path: '/metrics',
    pattern: '/metrics',
    title: 'Metrics',
    feature: 'emails',
    ...chunkOf(() => import('../screens/metrics/metrics-screen')),
  },
  {
    path: '/templates',
    pattern: '/templates/:id?',
    title: 'Templates',
    feature: 'templates',
    ...chunkOf(() => import('../screens/templates/templates-screen')),
  },
  {
    path: '/topics',
    pattern: '/topics/:id?',
    title: 'Topics',
    feature: 'topics',
    ...chunkOf(() => import('../screens/topics/topics-screen')),
  },
  {
    path: '/contacts',
    pattern: '/contacts/:id?',
    title: 'Contacts',
    feature: 'contacts',
    ...chunkOf(() => import('../screens/contacts/contacts-screen')),
  },
  {
    path: '/webhooks',
    pattern: '/webhooks/:id?/:eventId?',
    title: 'Webhooks',
    feature: 'webhooks',
    ...chunkOf(() => import('../screens/webhooks/webhooks-screen')),
  },
  {
    path: '/keys',
    pattern: '/keys',
    title: 'Keys',
    feature: 'apiKeys',
    ...chunkOf(() => import('../screens/keys/keys-screen')),
  },
  {
    path: '/health',
    pattern: '/health',
    title: 'Health',
    feature: 'operations',
    ...chunkOf(() => import('../screens/health/health-screen')),
  },
];

/** Those that this host has. */
export function screensOf(features: Features): readonly ScreenEntry[] {
  return SCREENS.filter(({ feature }) => features[feature]);
}

/** Loads the screen at a path below the mount path, while it is still asked who is there. */
export function loadAhead(path: string): void {
  const entry = SCREENS.find((screen) => path === screen.path || path.startsWith(`${screen.path}/`));
  // What fails here is tried again, and told of, when the screen is shown.
  entry?.load().catch(() => {});
}
