/**
 * Field in which a receiver notes the reverse-path of a report, on top of the message: a bounce that only people can read
 * counts without one, or from a program.
 */
export const REVERSE_PATH = 'x-envelope-from';
