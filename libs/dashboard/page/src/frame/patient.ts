import { readItem, writeItem } from '../api/browser-storage';
import { ApiProblem, fetchMounted } from '../api/client';
import { PROBE_INTERVAL } from '../api/retries';

/** Session storage key, set after the page was reloaded for a chunk until that chunk has loaded. */
const RELOADED = 'nestjs-emails reloaded';

/**
 * Loads a chunk of the current screen. After a failure it waits until the server answers, then reloads the page: browsers
 * cache the failed import of a module, so a second import fails without a request (whatwg/html issue 6768).
 *
 * @throws the import's error, when the reload did not help, or when another screen was opened meanwhile
 */
export async function patiently<T>(load: () => Promise<T>): Promise<T> {
  const screen = location.pathname;
  try {
    const loaded = await load();
    writeItem('sessionStorage', RELOADED, null);
    return loaded;
  } catch (error) {
    while (await isServerSilent()) await new Promise((resolve) => setTimeout(resolve, PROBE_INTERVAL));
    if (readItem('sessionStorage', RELOADED) !== null || location.pathname !== screen) throw error;
    // Without storage a reload would not know that it was the second.
    if (!writeItem('sessionStorage', RELOADED, 'yes')) throw error;
    location.reload();
    return new Promise(() => {});
  }
}

async function isServerSilent(): Promise<boolean> {
  try {
    await fetchMounted('GET', 'session');
    return false;
  } catch (error) {
    return error instanceof ApiProblem && error.isSilence;
  }
}
