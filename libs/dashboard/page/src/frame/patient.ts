import { ApiProblem, fetchMounted } from '../api/client';
import { PROBE_INTERVAL } from '../api/retries';

/** Loads a chunk; while the server is away, waits until it is back. @throws what the import threw, when the server answers */
export async function patiently<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (!(await isServerSilent())) throw error;
      await new Promise((resolve) => setTimeout(resolve, PROBE_INTERVAL));
    }
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
