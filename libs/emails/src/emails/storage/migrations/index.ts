import type { MigrationInterface } from 'typeorm';
import { CreateEmails1763700000000 } from './1763700000000-create-emails.js';
import { NumberAtCommit1763800000000 } from './1763800000000-number-at-commit.js';
import { ExpandLockOrder1764000000000 } from './1764000000000-expand-lock-order.js';
import { ExpandIdentity1764200006000 } from './1764200006000-expand-identity.js';
import { ExpandFilters1764300001000 } from './1764300001000-expand-filters.js';
import { ExpandAnswers1764300002000 } from './1764300002000-expand-answers.js';
import { ExpandCounts1764300003000 } from './1764300003000-expand-counts.js';
import { ExpandMessageIds1764300004000 } from './1764300004000-expand-message-ids.js';
import { ExpandErasures1764300005000 } from './1764300005000-expand-erasures.js';
import { ExpandWaiting1764400001000 } from './1764400001000-expand-waiting.js';
import { ExpandOutbox1764500001000 } from './1764500001000-expand-outbox.js';
import { ExpandUndecided1764600001000 } from './1764600001000-expand-undecided.js';
import { ExpandWaitingFrom1764600002000 } from './1764600002000-expand-waiting-from.js';
import { ExpandErasedContents1764600003000 } from './1764600003000-expand-erased-contents.js';
import { ExpandEmpty1764600022000 } from './1764600022000-expand-empty.js';
import { ExpandTurns1764700021000 } from './1764700021000-expand-turns.js';

/** Every migration of the library, for the `migrations` of the host's data source. */
export const emailsMigrations: (new () => MigrationInterface)[] = [
  CreateEmails1763700000000,
  NumberAtCommit1763800000000,
  ExpandLockOrder1764000000000,
  ExpandIdentity1764200006000,
  ExpandFilters1764300001000,
  ExpandAnswers1764300002000,
  ExpandCounts1764300003000,
  ExpandMessageIds1764300004000,
  ExpandErasures1764300005000,
  ExpandWaiting1764400001000,
  ExpandOutbox1764500001000,
  ExpandUndecided1764600001000,
  ExpandWaitingFrom1764600002000,
  ExpandErasedContents1764600003000,
  ExpandEmpty1764600022000,
  ExpandTurns1764700021000,
];
