type Cleanup = () => unknown;

const cleanups: Cleanup[] = [];

/** Runs `cleanup` once after the last test of this file, newest first, even if tests failed. */
export function afterFile(cleanup: Cleanup): void {
  cleanups.push(cleanup);
}

/** Runs what `afterFile` collected; a failure does not stop the others. */
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
