/** The PostgreSQL schema of every table of the package: they never clash with the host's. */
export const SCHEMA = 'nestjs_emails';
