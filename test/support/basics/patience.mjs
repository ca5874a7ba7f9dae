/**
 * Timeout of a test's wait for a certain event, in milliseconds: a guard against endless waits, not a property under
 * test. It is five times the need of the slowest machine so far, so that no machine is too slow.
 */
export const PATIENCE = 120_000;

/** Timeout of a hanging test, which can have only one endless wait. */
export const TEST_LIMIT = 3 * PATIENCE;
