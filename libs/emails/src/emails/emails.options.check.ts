import type { FactoryProvider, Provider } from '@nestjs/common';
import {
  bytes,
  checkNumbers,
  LONGEST_TIMER,
  milliseconds,
  type NumberPath,
  type NumberRule,
  whole,
} from '../shared/options/number-rules.js';
import type { EmailsModuleExtras, EmailsOptions } from './emails.options.js';
import { EMAILS_OPTIONS } from './emails.tokens.js';

const DAY = 86_400_000;
/** A hundred years: what is to be kept for longer is kept for good. */
const LONGEST_AGE = 36_500 * DAY;
/** What fits into one text of V8. */
const LARGEST_BODY = 500_000_000;
const MOST_AT_ONCE = 10_000;

/** Every number among the options. */
export const OPTION_NUMBERS = {
  'http.bodyLimit': bytes(1, LARGEST_BODY),
  'http.messageLimit': bytes(1, LARGEST_BODY),
  'fetch.ports': whole(1, 65_535),
  'fetch.timeout': milliseconds(1, LONGEST_TIMER),
  'fetch.requestTimeout': milliseconds(1, LONGEST_TIMER),
  'idempotency.retention': milliseconds(1, LONGEST_AGE),
  'retention.content': milliseconds(1, LONGEST_AGE),
  'retention.events': milliseconds(1, LONGEST_AGE),
  'delivery.concurrency': whole(1, MOST_AT_ONCE),
  'delivery.destinationConcurrency': whole(1, MOST_AT_ONCE),
  'delivery.retrySchedule': milliseconds(1, LONGEST_AGE),
  // Shorter, it could lapse while PostgreSQL is asked to renew it.
  'delivery.lease': milliseconds(1_000, DAY),
  'delivery.sweepInterval': milliseconds(1, DAY),
  'delivery.shutdownTimeout': milliseconds(0, LONGEST_TIMER),
} as const satisfies Record<NumberPath<EmailsOptions>, NumberRule>;

/** Every number among the extras. */
export const EXTRA_NUMBERS = {
  queueShards: whole(1, 64),
} as const satisfies Record<NumberPath<EmailsModuleExtras>, NumberRule>;

/** @throws Error that names every option that is wrong and says what would be right */
export function checkOptions(options: Partial<EmailsOptions>): void {
  checkNumbers('EmailsModule', OPTION_NUMBERS, options);
}

/** The same for the extras. */
export function checkExtras(extras: EmailsModuleExtras): void {
  checkNumbers('EmailsModule', EXTRA_NUMBERS, extras);
}

/** The provider of the options, such that nobody gets wrong ones; any other as it is. */
export function checkingOptions(provider: Provider): Provider {
  if (typeof provider === 'function' || provider.provide !== EMAILS_OPTIONS) return provider;
  if ('useValue' in provider) checkOptions(provider.useValue);
  if (!('useFactory' in provider)) return provider;
  const { useFactory, ...rest }: FactoryProvider<EmailsOptions> = provider;
  return {
    ...rest,
    useFactory: async (...args: unknown[]) => {
      const options = await useFactory(...args);
      checkOptions(options);
      return options;
    },
  };
}
