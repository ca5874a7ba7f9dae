import { CreateEmails1763700000000 } from './1763700000000-create-emails.js';

/** Every migration of the library, for the `migrations` of the host's data source. */
export const emailsMigrations = [CreateEmails1763700000000];
