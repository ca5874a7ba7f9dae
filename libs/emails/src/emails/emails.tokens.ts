/** Injection token of the options given to `forRoot` or `forRootAsync`. */
export const EMAILS_OPTIONS = Symbol('nestjs-emails options');

/** Injection token of the attachment storage: the host's or the library's own. */
export const ATTACHMENT_STORAGE = Symbol('nestjs-emails attachment storage');
