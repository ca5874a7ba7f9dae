import type { CanActivate, ModuleMetadata, Type } from '@nestjs/common';
import type { AccountResolver, KeyIdentifier } from 'nestjs-emails';
import type { DashboardInbox } from './inbox/dashboard-inbox.js';
import type { DashboardOperations } from './operations/dashboard-operations.js';

/** What `EmailsDashboardModule.forRoot` and the factory of `forRootAsync` return. */
export interface EmailsDashboardOptions {
  /**
   * Knows API keys: people sign in with one. `ApiKeyResolver` of `nestjs-emails/access` does. Either this, or `guards` with an
   * `accountResolver`.
   */
  keys?: KeyIdentifier;

  /** Says whose a request is that the host's own `guards` let pass, as that of `EmailsModule`. */
  accountResolver?: AccountResolver;

  /**
   * Secrets that sign sessions, of 32 characters or more: the first signs, all are recognised. The same in every process that
   * serves the page. Default: one for the life of the process, so that a new start asks everybody to sign in again.
   */
  secretKeys?: readonly string[];

  /** An inbox for development, to be shown. Default: none. */
  inbox?: DashboardInbox;

  /** What operators see, who know a token of their own besides. Default: nothing. */
  operations?: DashboardOperations;

  /** The address at which people see the host, such as `https://api.example.com`. Default: the one that they ask for. */
  publicUrl?: string;
}

/** Decided when the module is composed, before any provider exists. */
export interface EmailsDashboardExtras {
  /** Where the page is, exactly so, whatever prefix the host's routes have. Default: `/dashboard`. */
  path?: string;

  /** The host's own guards in place of signing in with a key. They are asked before anything but the page's own files. */
  guards?: readonly Type<CanActivate>[];

  /** Modules that export what the guards inject. Default: none. */
  imports?: ModuleMetadata['imports'];
}
