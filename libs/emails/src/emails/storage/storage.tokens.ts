/** Injection token of the data source that the module uses. */
export const EMAILS_DATA_SOURCE = Symbol('nestjs-emails data source');

/** Injection token of whether connections keep prepared statements. */
export const PREPARED_STATEMENTS = Symbol('nestjs-emails prepared statements');
