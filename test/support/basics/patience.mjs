/**
 * How long a test waits for what is sure to come, in milliseconds: a guard against waiting for ever, and nothing that
 * is proved. Five times what the slowest machine needed that this ever ran on, so that no machine is too slow.
 */
export const PATIENCE = 120_000;

/** After this a test that hangs is given up: only one of its waits can be the one that never ends. */
export const TEST_LIMIT = 3 * PATIENCE;
