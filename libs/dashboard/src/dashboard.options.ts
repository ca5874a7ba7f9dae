import type { CanActivate, ModuleMetadata, Type } from '@nestjs/common';
import type { AccountResolver, KeyIdentifier } from 'nestjs-emails';
import type { DashboardInbox } from './inbox/dashboard-inbox.js';
import type { DashboardOperations } from './operations/dashboard-operations.js';
import type { DashboardStatus } from './status/dashboard-status.js';

/** Options of `EmailsDashboardModule.forRoot`, and result of the factory of `forRootAsync`. */
export interface EmailsDashboardOptions {
  /**
   * Resolves API keys: people sign in with one. `ApiKeyResolver` of `nestjs-emails/access` does. Either this, or
   * `guards` with an `accountResolver`.
   */
  keys?: KeyIdentifier;

  /** Resolves the account of a request that the host's own `guards` admit, like that of `EmailsModule`. */
  accountResolver?: AccountResolver;

  /**
   * Secrets that sign sessions, of 32 characters or more: the first signs, all are accepted. The same in every process
   * that serves the page. Default: a random one for each process, so that a restart ends all sessions.
   */
  secretKeys?: readonly string[];

  /** An inbox for development to show. Default: none. */
  inbox?: DashboardInbox;

  /** Views for operators, with a separate token. Default: none. */
  operations?: DashboardOperations;

  /** Says whether mail is late, for the banner. It tells every visitor the number for all accounts. Default: no banner. */
  status?: DashboardStatus;

  /** Tells people which host this is: "local inbox", "smtp.example.com". It is shown at the top. Default: nothing. */
  environment?: string;

  /** The name of an account for its own people, shown at the top; undefined for none. Default: no name. */
  accountName?: (accountId: string) => Promise<string | undefined>;

  /** The public address of the host, such as `https://api.example.com`. Default: the one of the request. */
  publicUrl?: string;
}

/** Decided when the module is composed, before any provider exists. */
export interface EmailsDashboardExtras {
  /** Path of the page, without the prefix of the host's routes. Default: `/dashboard`. */
  path?: string;

  /** The host's own guards in place of the sign-in with a key. They run for everything except the page's own files. */
  guards?: readonly Type<CanActivate>[];

  /** Modules that export the dependencies of the guards. Default: none. */
  imports?: ModuleMetadata['imports'];
}
