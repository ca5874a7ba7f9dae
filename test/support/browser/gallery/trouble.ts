import type { Page } from 'playwright-core';
import type { Trouble } from './scenes.js';

/** Below the mount path: files of the page. */
const FILES = /^\/dashboard\/assets\//;
/** Asked for by the frame of the page, around every screen. */
const FRAME = /^\/dashboard\/(session|status)$/;
const FAILURE = {
  statusCode: 500,
  name: 'internal_server_error',
  message: 'Something went wrong here. The request can be sent again.',
};

/** Messages of the browser about it. */
export const TROUBLE_MESSAGES = [/ERR_CONNECTION_REFUSED/, / 500 \(/];

/**
 * Makes the server answer requests of the screen in that way.
 *
 * @returns resolves when the screen has sent one, so that it is mounted
 */
export async function impose(page: Page, trouble: Trouble): Promise<{ asked: Promise<void> }> {
  let isAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  let isAway = false;
  await page.route(
    ({ pathname }) => pathname.startsWith('/dashboard/') && !FILES.test(pathname),
    async (route) => {
      const isOfFrame = FRAME.test(new URL(route.request().url()).pathname);
      if (route.request().isNavigationRequest() || (isOfFrame && !isAway)) return route.continue();
      isAsked();
      if (trouble === 'failing') return route.fulfill({ status: 500, json: FAILURE });
      if (trouble === 'away') {
        isAway = true;
        return route.abort('connectionrefused');
      }
      // A slow server: the page is closed before an answer.
    },
  );
  return { asked };
}
