import { Resend } from 'resend';
import { signedWebhook } from './signed-webhook.js';
import { newSecret } from './webhook-signature.js';

const PAYLOAD = { type: 'email.delivered', data: { email_id: '1', subject: 'Grüße' } };

const verify = ({ headers, body }: ReturnType<typeof signedWebhook>, webhookSecret: string) =>
  new Resend('re_test').webhooks.verify({
    payload: body,
    headers: {
      id: headers['svix-id'] ?? '',
      timestamp: headers['svix-timestamp'] ?? '',
      signature: headers['svix-signature'] ?? '',
    },
    webhookSecret,
  });

describe('signedWebhook', () => {
  it('is accepted by the official client with each secret, and with no other', () => {
    const [old, fresh] = [newSecret(), newSecret()];
    const created_at = '2026-11-22T05:26:01.123Z';
    const request = signedWebhook({ ...PAYLOAD, created_at }, [fresh, old]);
    for (const secret of [fresh, old]) expect(verify(request, secret)).toEqual({ ...PAYLOAD, created_at });
    expect(() => verify(request, newSecret())).toThrow();
    expect(request.headers['webhook-id']).toMatch(/^msg_[0-9A-Za-z]{27}$/);
  });

  it('is refused when it is old, and has the requested id', () => {
    const secret = newSecret();
    const request = signedWebhook(PAYLOAD, secret, { id: 'msg_again', sentAt: new Date(Date.now() - 3_600_000) });
    expect(request.headers['svix-id']).toBe('msg_again');
    expect(() => verify(request, secret)).toThrow();
  });

  it('refuses an invalid secret', () => {
    expect(() => signedWebhook(PAYLOAD, 'secret')).toThrow(TypeError);
  });
});
