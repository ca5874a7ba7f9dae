/** The body of a request that says everything in its path. */
export class NoFieldsDto {}
