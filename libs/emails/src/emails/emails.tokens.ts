/** Injection token of the options given to `forRoot` or `forRootAsync`. */
export const EMAILS_OPTIONS = Symbol('nestjs-emails options');

/** Injection token of the same options with the ports that features bring. */
export const WHOLE_OPTIONS = Symbol('nestjs-emails whole options');
