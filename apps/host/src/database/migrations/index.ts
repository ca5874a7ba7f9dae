import { CreateAccounts1763700001000 } from './1763700001000-create-accounts.js';
import { CreateAudience1763700002000 } from './1763700002000-create-audience.js';
import { CreateRateLimits1763700003000 } from './1763700003000-create-rate-limits.js';
import { ExpandNumberAtCommit1763900001000 } from './1763900001000-number-at-commit.js';
import { MoveToModules1764100000000 } from './1764100000000-move-to-modules.js';

/** Every migration of the host. */
export const hostMigrations = [
  CreateAccounts1763700001000,
  CreateAudience1763700002000,
  CreateRateLimits1763700003000,
  ExpandNumberAtCommit1763900001000,
  MoveToModules1764100000000,
];
