import type { Locator, Page } from 'playwright-core';
import { screenPaths } from '../../reading/screens.js';
import type { Shop } from './shop.js';

/** Hosts of the gallery: a new one, one in development with mail, a shop in production, one whose relay is down. */
export type Place = 'new' | 'development' | 'shop' | 'outage';

/** An operator has given the operators' token, and is an admin otherwise. */
export type Visitor = 'admin' | 'viewer' | 'operator' | 'stranger';

/** How the server answers what a screen asks for: never, with 500, or not at all. */
export type Trouble = 'slow' | 'failing' | 'away';

/** A screen in one state. */
export interface Scene {
  screen: string;
  state: string;
  place: Place;
  visitor: Visitor;
  trouble?: Trouble;
  /** Below the mount path; by ids of the shop, where it needs some. */
  path: string | ((shop: Shop) => string);
  /** Steps of the visitor on the loaded page. Default: none. */
  steps?: (main: Locator, page: Page) => Promise<void>;
  /** Shown once the scene is complete. */
  shows: (main: Locator, page: Page) => Locator;
}

type Shows = string | RegExp | Scene['shows'];

interface Further extends Partial<Pick<Scene, 'visitor' | 'place' | 'steps'>> {
  path: Scene['path'];
  shows: Shows;
}

/** A screen's own scenes; those of trouble are the same for all. */
interface ScreenScenes {
  /** Where it is filled. Default: the shop. */
  place?: Place;
  visitor?: Visitor;
  /** Default: the screen's path. */
  path?: string;
  /** Text of the filled screen. */
  filled: Shows;
  /** Default: the page's empty state. */
  empty?: { path?: string; shows: Shows; place?: Place };
  /** Open things, and other states. */
  more?: Record<string, Further>;
  /** States that this screen does not have: it asks the server for nothing, or exists in development only. */
  lacks?: readonly CommonState[];
}

const COMMON = ['loading', 'error', 'away', 'degraded', 'viewer'] as const;
type CommonState = (typeof COMMON)[number];

const emptyState: Shows = (main) => main.locator('.empty');
const JANE = 'jane.cooper@example.com';

async function chooseOfMenu(main: Locator, name: string): Promise<void> {
  await main.getByRole('button', { name: 'More' }).click();
  await main.getByRole('menuitem', { name }).click();
}

/** By the names of `SCREENS`. */
const SCREEN_SCENES: Readonly<Record<string, ScreenScenes>> = {
  inbox: {
    place: 'development',
    filled: 'Welcome to Northwind',
    lacks: ['degraded'],
    more: {
      open: {
        place: 'development',
        path: '/inbox',
        steps: (main) => main.getByRole('link', { name: /Your order 1182/ }).click(),
        shows: (main) => main.locator('iframe'),
      },
    },
  },
  emails: {
    filled: 'Reset your password',
    more: {
      open: { path: ({ emails }) => `/emails/${emails.delivered}`, shows: (main) => main.locator('iframe') },
      bounced: { path: ({ emails }) => `/emails/${emails.bounced}`, shows: /550 5\.1\.1/ },
      delayed: { path: ({ emails }) => `/emails/${emails.delayed}`, shows: /452 4\.2\.2/ },
      scheduled: { path: ({ emails }) => `/emails/${emails.scheduled}`, shows: 'How was your first order?' },
      several: { path: ({ emails }) => `/emails/${emails.several}`, shows: /550 5\.1\.1/ },
      source: { path: ({ emails }) => `/emails/${emails.delivered}?tab=source`, shows: /MIME-Version: 1\.0/ },
      'no-match': { path: '/emails?q=to%3Anobody%40example.com', shows: emptyState },
      'opened-by-viewer': {
        visitor: 'viewer',
        path: ({ emails }) => `/emails/${emails.bounced}`,
        shows: /Your role does not show contents/,
      },
    },
  },
  person: {
    path: `/people/${encodeURIComponent(JANE)}`,
    filled: 'Your order 1182 is on its way',
  },
  metrics: {
    filled: (main) => main.getByRole('img', { name: /^Recipients by / }),
    more: { table: { path: '/metrics?as=table', shows: (main) => main.getByRole('table').first() } },
  },
  templates: {
    filled: 'Order shipped',
    more: {
      open: { path: ({ template }) => `/templates/${template}`, shows: (main) => main.locator('iframe').first() },
    },
  },
  topics: {
    filled: 'Product news',
    more: { open: { path: ({ topic }) => `/topics/${topic}`, shows: (main) => main.getByLabel('Description') } },
  },
  contacts: {
    filled: JANE,
    more: { open: { path: ({ contact }) => `/contacts/${contact}`, shows: (main) => main.getByLabel('First name') } },
  },
  suppressions: {
    filled: 'spam-trap@example.net',
    more: {
      open: {
        path: ({ suppression }) => `/suppressions/${suppression}`,
        shows: (main) => main.getByRole('link', { name: 'View email', exact: true }),
      },
      'not-found': { path: '/suppressions?find=nobody%40example.com', shows: emptyState },
      add: {
        path: '/suppressions',
        steps: (main) => main.getByRole('button', { name: 'Add address' }).click(),
        shows: (_, page) => page.getByRole('dialog').getByLabel('Address'),
      },
      import: {
        path: '/suppressions',
        steps: async (main, page) => {
          await chooseOfMenu(main, 'Import CSV');
          const file = {
            name: 'list.csv',
            mimeType: 'text/csv',
            buffer: Buffer.from('email\na@example.com\nno address\n'),
          };
          await page.getByLabel('CSV file', { exact: true }).setInputFiles(file);
        },
        shows: (_, page) => page.getByText('1 line left out'),
      },
      undo: {
        path: '/suppressions',
        steps: (main) => chooseOfMenu(main, 'Undo bounces'),
        shows: (_, page) => page.getByRole('dialog').getByLabel('Operator'),
      },
    },
  },
  domains: {
    filled: 'northwind.example',
    more: {
      open: { path: ({ domain }) => `/domains/${domain}`, shows: /Next: copy these records/ },
      add: {
        path: '/domains',
        steps: (main) => main.getByRole('button', { name: 'Add domain' }).click(),
        shows: (_, page) => page.getByRole('dialog').getByLabel('Domain', { exact: true }),
      },
    },
  },
  webhooks: {
    filled: /hooks\/email/,
    lacks: ['viewer'],
    more: {
      open: {
        path: ({ webhook }) => `/webhooks/${webhook}`,
        shows: (main) => main.getByRole('link', { name: /email\.bounced/ }).first(),
      },
      event: { path: ({ webhook, event }) => `/webhooks/${webhook}/${event}`, shows: /"received":true/ },
    },
  },
  keys: {
    filled: 'Newsletter job',
    empty: { shows: 'You are signed in with this key' },
    lacks: ['viewer'],
  },
  activity: {
    filled: 'Newsletter job',
    lacks: ['viewer'],
  },
  health: {
    visitor: 'operator',
    filled: 'Emails are accepted and sent.',
    empty: { shows: (main) => main.getByLabel('Operator token') },
    lacks: ['viewer'],
    more: { outage: { place: 'outage', visitor: 'operator', path: '/health', shows: /connection refused/ } },
  },
  start: {
    place: 'development',
    filled: 'Your first email is here',
    empty: { shows: 'Send your first email' },
    lacks: ['loading', 'error', 'away', 'degraded', 'viewer'],
  },
};

/** Content of every screen in these states. */
const SHOWS: Readonly<Record<CommonState, Shows>> = {
  loading: (main) => main.getByText('Loading').first(),
  error: (main) => main.getByRole('alert').first(),
  away: (_, page) => page.getByText('The server does not answer.'),
  degraded: /emails are waiting/,
  viewer: /signed in as a viewer/,
};

const TROUBLES: Partial<Record<CommonState, Trouble>> = { loading: 'slow', error: 'failing', away: 'away' };

/** Scenes that belong to no screen. */
const FRAME: readonly Scene[] = [
  scene('frame', 'sign-in', '/emails', (_, page) => page.getByLabel('API key'), { place: 'new', visitor: 'stranger' }),
  scene('frame', 'nothing-here', '/nothing', 'There is nothing at this address', { place: 'new' }),
];

/**
 * Every scene of the page.
 *
 * @throws Error for a screen of `SCREENS` that has no scenes here
 */
export async function allScenes(): Promise<readonly Scene[]> {
  return [...FRAME, ...[...(await screenPaths())].flatMap(([name, path]) => scenesOf(name, path))];
}

function scenesOf(name: string, usualPath: string): Scene[] {
  const own = SCREEN_SCENES[name];
  if (!own) throw new Error(`The screen ${name} has no scenes in SCREEN_SCENES.`);
  const { place, visitor, path = usualPath, filled, empty = { shows: emptyState }, lacks = [], more = {} } = own;
  const usual = { place: place ?? 'shop', visitor: visitor ?? 'admin' };
  const troubles = COMMON.filter((state) => !lacks.includes(state)).map((state) => {
    const trouble = TROUBLES[state];
    return scene(name, state, path, SHOWS[state], {
      ...usual,
      ...(trouble && { trouble }),
      ...(state === 'degraded' && { place: 'outage' }),
      ...(state === 'viewer' && { visitor: 'viewer' }),
    });
  });
  return [
    scene(name, 'empty', empty.path ?? path, empty.shows, { place: 'new' }),
    scene(name, 'filled', path, filled, usual),
    ...Object.entries(more).map(([state, { path: way, shows, ...at }]) =>
      scene(name, state, way, shows, { ...usual, ...at }),
    ),
    ...troubles,
  ];
}

function scene(
  screen: string,
  state: string,
  path: Scene['path'],
  shows: Shows,
  at: Partial<Pick<Scene, 'place' | 'visitor' | 'trouble' | 'steps'>>,
): Scene {
  return {
    ...{ screen, state, place: 'shop', visitor: 'admin', ...at },
    path,
    shows: typeof shows === 'function' ? shows : (main) => main.getByText(shows).first(),
  };
}
