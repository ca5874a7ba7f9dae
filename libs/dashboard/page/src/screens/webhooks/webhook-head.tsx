import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Webhook } from '../../api/types';
import { StateBadge } from '../../parts/badge';
import { Problem } from '../../parts/problem';
import { Time } from '../../parts/time';
import { SigningSecret } from './signing-secret';
import { DeleteWebhook, DisableWebhook, EnableWebhook, RotateSecret } from './webhook-dialogs';
import { WebhookForm } from './webhook-form';
import { webhookQuery } from './webhook-queries';

type Asking = 'edit' | 'disable' | 'enable' | 'rotate' | 'delete';

/** One endpoint: its address, secret and actions. */
export function WebhookHead({ webhook }: { webhook: Webhook }) {
  const { data, error } = useQuery(webhookQuery(webhook.id));
  const [asking, setAsking] = useState<Asking>();
  const close = () => setAsking(undefined);
  const isEnabled = webhook.status === 'enabled';
  return (
    <header className="webhook-head">
      <Link href="/webhooks">← Webhooks</Link>
      <h1 className="mono">{webhook.endpoint}</h1>
      <div className="bar">
        <StateBadge state={webhook.status} />
        <span className="soft">
          made <Time value={webhook.created_at} />
        </span>
        <details className="events">
          <summary>
            {webhook.events.length} {webhook.events.length === 1 ? 'event' : 'events'}
          </summary>
          <p className="mono">{webhook.events.join(', ')}</p>
        </details>
      </div>
      {error ? (
        <Problem what="The signing secret could not be read" error={error} />
      ) : (
        <SigningSecret secret={data?.signing_secret} />
      )}
      <div className="bar">
        <button type="button" onClick={() => setAsking('edit')}>
          Edit
        </button>
        <button type="button" onClick={() => setAsking('rotate')}>
          Rotate the secret
        </button>
        <button type="button" onClick={() => setAsking(isEnabled ? 'disable' : 'enable')}>
          {isEnabled ? 'Disable' : 'Enable'}
        </button>
        <button type="button" className="danger" onClick={() => setAsking('delete')}>
          Delete
        </button>
      </div>
      {asking === 'edit' && <WebhookForm webhook={webhook} onSaved={close} onClose={close} />}
      {asking === 'rotate' && <RotateSecret webhook={webhook} onClose={close} />}
      {asking === 'disable' && <DisableWebhook webhook={webhook} onClose={close} />}
      {asking === 'enable' && <EnableWebhook webhook={webhook} onClose={close} />}
      {asking === 'delete' && <DeleteWebhook webhook={webhook} onClose={close} />}
    </header>
  );
}
