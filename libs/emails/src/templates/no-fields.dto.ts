/** The empty body of a request whose path carries all input. */
export class NoFieldsDto {}
