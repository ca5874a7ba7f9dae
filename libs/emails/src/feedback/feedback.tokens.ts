/** The options of `feedback`, with the core's secrets where it has none of its own. */
export const FEEDBACK_OPTIONS = Symbol('nestjs-emails feedback options');
