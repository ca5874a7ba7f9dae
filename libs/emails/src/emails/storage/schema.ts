/** The library's own PostgreSQL schema: its tables never clash with the host's. */
export const EMAILS_SCHEMA = 'nestjs_emails';
