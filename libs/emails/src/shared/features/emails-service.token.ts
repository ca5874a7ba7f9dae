/** Injection token of the core's `EmailsService`, for the providers of a feature. */
export const EMAILS_SERVICE = Symbol('nestjs-emails service');
