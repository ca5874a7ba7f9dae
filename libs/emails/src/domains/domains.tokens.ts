/** The options of `domains`, with the core's secrets where it has none of its own. */
export const DOMAINS_OPTIONS = Symbol('nestjs-emails domains options');
