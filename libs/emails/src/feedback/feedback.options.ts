import type { HooksOptions } from './hooks/hooks.options.js';
import type { ListenerOptions } from './listener/listener.options.js';
import type { ReturnPathOptions } from './return-path/return-path.options.js';

/** Options of `feedback`. */
export interface FeedbackOptions extends ReturnPathOptions {
  /**
   * Secrets of the installation, each of 32 characters or more, the same in every process. The first signs return paths,
   * all verify. Default: the core's secrets; without any, reports by mail find no email.
   */
  secretKeys?: readonly string[];

  /** The SMTP server for reports, in processes with workers. Needs the package `smtp-server`. Default: none. */
  listener?: ListenerOptions;

  /** Relays that report to `POST /hooks/:provider`. Default: none. */
  hooks?: HooksOptions;
}
