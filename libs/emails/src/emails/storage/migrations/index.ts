import type { MigrationInterface } from 'typeorm';
import { CreateEmails1763700000000 } from './1763700000000-create-emails.js';
import { NumberAtCommit1763800000000 } from './1763800000000-number-at-commit.js';
import { ExpandLockOrder1764000000000 } from './1764000000000-expand-lock-order.js';
import { ExpandIdentity1764200006000 } from './1764200006000-expand-identity.js';
import { ExpandFilters1764300001000 } from './1764300001000-expand-filters.js';
import { ExpandAnswers1764300002000 } from './1764300002000-expand-answers.js';

/** Every migration of the library, for the `migrations` of the host's data source. */
export const emailsMigrations: (new () => MigrationInterface)[] = [
  CreateEmails1763700000000,
  NumberAtCommit1763800000000,
  ExpandLockOrder1764000000000,
  ExpandIdentity1764200006000,
  ExpandFilters1764300001000,
  ExpandAnswers1764300002000,
];
