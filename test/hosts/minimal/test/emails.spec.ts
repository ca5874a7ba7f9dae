import { Test } from '@nestjs/testing';
import { ApiError, EmailsService, type RecipientPolicy } from 'nestjs-emails';
import { EmailsTestingModule, recipientPolicyContract, SentEmails, TestMailboxes } from 'nestjs-emails/testing';

describe('a host that is tested by jest', () => {
  it('sees what it sent, and what was refused', async () => {
    const app = await Test.createTestingModule({ imports: [EmailsTestingModule.register()] }).compile();
    const emails = app.get(EmailsService);
    const email = { from: 'hi@shop.example', to: 'jane@example.com', subject: 'Your order', text: 'Thank you.' };
    await emails.send('acme', email);
    expect(app.get(SentEmails).only()).toMatchObject({ subject: 'Your order' });
    await expect(emails.send('acme', { ...email, to: 'nobody' })).rejects.toBeInstanceOf(ApiError);
  });

  it('sees what comes back', async () => {
    const app = await Test.createTestingModule({ imports: [EmailsTestingModule.register()] }).compile();
    const [emails, mailboxes] = [app.get(EmailsService), app.get(TestMailboxes)];
    mailboxes.bounce('typo@example.com');
    const email = { from: 'hi@shop.example', to: 'typo@example.com', subject: 'Your order', text: 'Thank you.' };
    const { id } = await emails.send('acme', email);
    await mailboxes.deliver();
    expect(await emails.get('acme', id)).toMatchObject({ last_event: 'bounced' });
    expect(mailboxes.isSuppressed('acme', 'typo@example.com')).toBe(true);
  });
});

describe('a port of the host', () => {
  const policy: RecipientPolicy = {
    decide: async ({ addresses }) =>
      addresses.map((one) => (one.endsWith('.example') ? { allowed: true } : { allowed: false, code: 'staging' })),
  };
  const known = { allowed: ['hi@shop.example'], refused: ['jane@example.com'] };
  for (const { name, run } of recipientPolicyContract(() => policy, known)) it(name, run);
});
