import type { EmailsFeature } from 'nestjs-emails';
import { access } from 'nestjs-emails/access';
import { audience } from 'nestjs-emails/audience';
import { domains } from 'nestjs-emails/domains';
import { feedback } from 'nestjs-emails/feedback';
import { templates } from 'nestjs-emails/templates';
import { webhooks } from 'nestjs-emails/webhooks';

/** Options that differ between processes. */
export interface FeatureOptions {
  access?: Parameters<typeof access>[0];
  domains?: Parameters<typeof domains>[0];
  feedback?: Parameters<typeof feedback>[0];
  webhooks?: Parameters<typeof webhooks>[0];
}

/** Features of this host, in the order of the API document. */
export function features(options: FeatureOptions = {}): EmailsFeature[] {
  return [
    audience(),
    feedback(options.feedback),
    templates(),
    webhooks(options.webhooks),
    domains(options.domains),
    access(options.access),
  ];
}
