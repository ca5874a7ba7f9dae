import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Send } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Webhook } from '../../api/types';
import { StateBadge } from '../../parts/badge';
import { plainName } from '../../parts/plain-name';
import { Problem } from '../../parts/problem';
import { Time } from '../../parts/time';
import { ReplayFailed } from './replay-failed';
import { SendTestEvent } from './send-test-event';
import { SigningSecret } from './signing-secret';
import { SuccessRate } from './success-rate';
import { TEXTS } from './texts';
import { VerifySignature } from './verify-signature';
import { DeleteWebhook, DisableWebhook, EnableWebhook, RotateSecret } from './webhook-dialogs';
import { WebhookForm } from './webhook-form';
import { webhookQuery } from './webhook-queries';

type Asking = 'test' | 'replay' | 'edit' | 'disable' | 'enable' | 'rotate' | 'delete';

/** One endpoint: its address, secret and actions. */
export function WebhookHead({ webhook }: { webhook: Webhook }) {
  const { data, error } = useQuery(webhookQuery(webhook.id));
  const [asking, setAsking] = useState<Asking>();
  const close = () => setAsking(undefined);
  const isEnabled = webhook.status === 'enabled';
  return (
    <header className="webhook-head">
      <Link href="/webhooks" className="back">
        <ArrowLeft className="icon" size={14} aria-hidden="true" /> {TEXTS.back}
      </Link>
      <h1 className="mono">{plainName(webhook.endpoint)}</h1>
      <div className="bar">
        <StateBadge state={webhook.status} />
        <span className="soft">
          {TEXTS.created} <Time value={webhook.created_at} />
        </span>
        <SuccessRate webhookId={webhook.id} />
        <details className="events">
          <summary>{TEXTS.events(webhook.events.length)}</summary>
          <p className="mono">{webhook.events.join(', ')}</p>
        </details>
      </div>
      {error ? <Problem what={TEXTS.secretFailed} error={error} /> : <SigningSecret secret={data?.signing_secret} />}
      <div className="bar">
        <button type="button" className="primary" disabled={!isEnabled} onClick={() => setAsking('test')}>
          <Send className="icon" size={16} aria-hidden="true" /> {TEXTS.test}
        </button>
        <button type="button" disabled={!isEnabled} onClick={() => setAsking('replay')}>
          {TEXTS.replayFailed}
        </button>
        <button type="button" onClick={() => setAsking('edit')}>
          {TEXTS.edit}
        </button>
        <button type="button" onClick={() => setAsking('rotate')}>
          {TEXTS.rotate}
        </button>
        <button type="button" onClick={() => setAsking(isEnabled ? 'disable' : 'enable')}>
          {isEnabled ? TEXTS.disable : TEXTS.enable}
        </button>
        <button type="button" className="danger" onClick={() => setAsking('delete')}>
          {TEXTS.delete}
        </button>
      </div>
      <VerifySignature />
      {asking === 'test' && <SendTestEvent webhook={webhook} onClose={close} />}
      {asking === 'replay' && <ReplayFailed webhook={webhook} onClose={close} />}
      {asking === 'edit' && <WebhookForm webhook={webhook} onSaved={close} onClose={close} />}
      {asking === 'rotate' && <RotateSecret webhook={webhook} onClose={close} />}
      {asking === 'disable' && <DisableWebhook webhook={webhook} onClose={close} />}
      {asking === 'enable' && <EnableWebhook webhook={webhook} onClose={close} />}
      {asking === 'delete' && <DeleteWebhook webhook={webhook} onClose={close} />}
    </header>
  );
}
