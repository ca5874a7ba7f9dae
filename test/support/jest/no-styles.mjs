/** Replaces style sheets of the page in its unit tests. */
export {};
