/** Injection token of the options of the feature, completed by those of the core. */
export const WEBHOOKS_OPTIONS = Symbol('nestjs-emails webhooks options');

/** Injection token of a function that has the workers of this process look for work. */
export const WAKE = Symbol('nestjs-emails webhooks wake');
