import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { Random } from '../support/basics/random.js';
import { judge, SCREENSHOTS } from '../support/browser/audit.js';
import { useBrowser } from '../support/browser/browser.js';
import { Places } from '../support/browser/gallery/places.js';
import { allScenes, type Scene } from '../support/browser/gallery/scenes.js';
import { impose, TROUBLE_MESSAGES } from '../support/browser/gallery/trouble.js';
import { overflows, recordShifts, shiftsOf } from '../support/browser/measures.js';
import type { PageTester } from '../support/browser/page-tester.js';
import { IS_WHOLE } from '../support/jest/sample.js';

const FOLDER = join(SCREENSHOTS, 'screens');
const WIDTHS = { 1280: 800, 390: 844 } as const;
const THEMES = ['light', 'dark'] as const;

interface Look {
  width: keyof typeof WIDTHS;
  themes: readonly (typeof THEMES)[number][];
}

const LOOKS: readonly Look[] = [
  { width: 1280, themes: THEMES },
  { width: 390, themes: THEMES },
];

/** A screen asks for the operators' report, and is refused. */
const REFUSED = / 403 \(/;
/** The address has no contact. */
const MISSING = / 404 \(/;
/** The frame of an email runs no script, not even the one that records shifts. */
const SANDBOXED = /^console: Blocked script execution in '[^']*\/dashboard\/frames\//;

const SCENES = await allScenes();

/** All scenes in all looks; in a short run, one of each screen in one look, by jest's seed. */
function chosen(): { scene: Scene; looks: readonly Look[] }[] {
  if (IS_WHOLE) return SCENES.map((scene) => ({ scene, looks: LOOKS }));
  const random = new Random(jest.getSeed());
  return [...new Set(SCENES.map(({ screen }) => screen))].map((screen) => {
    const scene = random.pick(SCENES.filter((one) => one.screen === screen));
    const { width, themes } = random.pick(LOOKS);
    return { scene, looks: [{ width, themes: [random.pick(themes)] }] };
  });
}

describe('every screen', () => {
  const browser = useBrowser();
  const places = new Places(browser);

  beforeAll(() => {
    mkdirSync(FOLDER, { recursive: true });
  });

  const cases = chosen().map((one) => [`${one.scene.screen}: ${one.scene.state}`, one] as const);

  it.each(cases)('is accessible, fits and stays where it is: %s', async (name, { scene, looks }) => {
    const found: string[] = [];
    for (const look of looks) {
      const tester = await open(scene, look);
      found.push(...(await findings(tester, look, name.replace(': ', '-'))));
    }
    expect(found).toEqual([]);
  });

  async function open(scene: Scene, { width }: Look): Promise<PageTester> {
    const tester = await places.visit(scene.place, scene.visitor, {
      width,
      height: WIDTHS[width],
      expected: [REFUSED, MISSING, SANDBOXED, ...TROUBLE_MESSAGES],
    });
    const { page } = tester;
    await recordShifts(page);
    const trouble = scene.trouble && (await impose(page, scene.trouble));
    await tester.open(typeof scene.path === 'string' ? scene.path : scene.path(await places.shop()));
    await trouble?.asked;
    await scene.steps?.(page.getByRole('main'), page);
    await scene.shows(page.getByRole('main'), page).waitFor();
    if (!trouble) await page.waitForLoadState('networkidle');
    // A skeleton appears late, and may be replaced by that of the screen.
    await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
    return tester;
  }

  /** Faults of a scene, in words; leaves its pictures. */
  async function findings({ page }: PageTester, { width, themes }: Look, name: string): Promise<string[]> {
    const found = (await shiftsOf(page)).map((shift) => `${width} px: ${shift}`);
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme });
      await page.screenshot({ path: join(FOLDER, `${name}-${theme}-${width}.png`) });
      found.push(...(await judge(page)).map((finding) => `${theme}, ${width} px: ${finding}`));
    }
    return [...found, ...(await overflows(page))];
  }
});
