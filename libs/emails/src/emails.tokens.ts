/** Injection token of the options given to `forRoot` or `forRootAsync`. */
export const EMAILS_OPTIONS = Symbol('nestjs-emails options');
