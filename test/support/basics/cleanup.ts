type Cleanup = () => unknown;

const cleanups: Cleanup[] = [];

/** Has `cleanup` run once after the last test of this file, newest first, whether or not tests failed. */
export function afterFile(cleanup: Cleanup): void {
  cleanups.push(cleanup);
}

/** Runs what `afterFile` collected; one failure does not keep the others from running. */
export async function cleanUpAfterFile(): Promise<void> {
  const errors: unknown[] = [];
  for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) {
    try {
      await cleanup();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'Cleaning up after the test file failed.');
}
