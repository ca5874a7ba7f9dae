import { ApiProblem, fetchMounted } from '../api/client';
import { PROBE_INTERVAL } from '../api/retries';

/** Says, in the browser's storage of a tab, that the page was loaded anew for a chunk, which has not come yet. */
const LOADED_ANEW = 'nestjs-emails loaded anew';

/**
 * Loads a chunk of the page that is open. When that fails, waits until the server answers and loads the page anew: a browser
 * remembers that a module did not come, and never asks for it again (HTML, module map, before August 2026).
 *
 * @throws what the import threw, when that did not help, or when another page was opened meanwhile
 */
export async function patiently<T>(load: () => Promise<T>): Promise<T> {
  const page = location.pathname;
  try {
    const loaded = await load();
    sessionStorage.removeItem(LOADED_ANEW);
    return loaded;
  } catch (error) {
    while (await isServerSilent()) await new Promise((resolve) => setTimeout(resolve, PROBE_INTERVAL));
    if (sessionStorage.getItem(LOADED_ANEW) !== null || location.pathname !== page) throw error;
    sessionStorage.setItem(LOADED_ANEW, 'yes');
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
