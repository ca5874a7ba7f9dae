/**
 * How long it holds that an email is not paused, from before the statement that found so. A pause is in force that long after
 * its commit: by then no process begins a message by an older answer. Milliseconds.
 */
export const UNPAUSED_HOLDS = 1_000;
