/** Injection token of `SigningOptions`. */
export const SIGNING_OPTIONS = Symbol('nestjs-emails signing options');
