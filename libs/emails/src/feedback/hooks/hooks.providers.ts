import type { InjectionToken, Provider } from '@nestjs/common';
import { IncomingReportsService } from '../incoming/incoming-reports.service.js';
import { HookTokenRepository } from './hook-token.repository.js';
import type { HooksOptions } from './hooks.options.js';
import { INCOMING_REPORTS } from './incoming-reports.js';
import { MailgunRelay } from './mailgun.relay.js';
import { PostmarkRelay } from './postmark.relay.js';
import { RELAYS, type Relay, type Relays } from './relay.js';
import { ReportRecorder } from './report-recorder.js';
import { SendgridRelay } from './sendgrid.relay.js';
import { SesRelay } from './ses.relay.js';
import { SnsCertificates } from './sns/sns-certificates.js';
import { GuardedSnsFiles, SNS_FILES, type SnsFiles } from './sns/sns-files.js';

/**
 * Providers of `HooksController`. They inject `IncomingReportsService`.
 *
 * @param options injection token of options with `hooks`
 */
export function hookProviders(options: InjectionToken): Provider[] {
  return [
    ReportRecorder,
    HookTokenRepository,
    { provide: INCOMING_REPORTS, useExisting: IncomingReportsService },
    { provide: SNS_FILES, useFactory: () => new GuardedSnsFiles() },
    { provide: SnsCertificates, inject: [SNS_FILES], useFactory: (files: SnsFiles) => new SnsCertificates(files) },
    {
      provide: RELAYS,
      inject: [options, HookTokenRepository, SnsCertificates, SNS_FILES],
      useFactory: (given: { hooks?: HooksOptions } | undefined, ...parts: Parts): Relays =>
        relaysOf(given?.hooks ?? {}, ...parts),
    },
  ];
}

type Parts = [HookTokenRepository, SnsCertificates, SnsFiles];

function relaysOf(
  { ses, postmark, mailgun, sendgrid }: HooksOptions,
  ...[tokens, certificates, files]: Parts
): Map<string, Relay> {
  const relays = new Map<string, Relay>();
  if (ses) relays.set('ses', new SesRelay(ses.topics, certificates, files));
  if (postmark) relays.set('postmark', new PostmarkRelay(postmark.auth));
  if (mailgun) relays.set('mailgun', new MailgunRelay(mailgun.key, tokens));
  if (sendgrid) relays.set('sendgrid', new SendgridRelay(sendgrid.key));
  return relays;
}
