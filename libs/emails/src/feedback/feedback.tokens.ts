/** Injection token of the options of the feature, completed by those of the core. */
export const FEEDBACK_OPTIONS = Symbol('nestjs-emails feedback options');
