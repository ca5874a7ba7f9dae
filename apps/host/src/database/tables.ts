import { emailsDatabase } from 'nestjs-emails';
import { features } from '../features/features.js';

/** Entities and migrations of emails and features; this host has none of its own. */
export const tables = emailsDatabase({ features: features() });
