import type { SendEmailDto } from './send/request/send-email.dto.js';
import type { SendEmail } from './send-email.js';

/** The results of `PickType`, `OmitType` and `PartialType`. */
type Mapped =
  | Pick<SendEmailDto, 'to' | 'subject' | 'attachments' | 'tags'>
  | Omit<SendEmailDto, 'template'>
  | (Partial<SendEmailDto> & { to: string[] });

it('accepts mapped classes of a request', () => {
  const given: Mapped = { to: ['to@to.test'], subject: 'Hi', attachments: [{ content: 'YQ==' }], tags: [] };
  const email: SendEmail = given;
  const withBytes: SendEmail = { to: 'to@to.test', attachments: [{ content: Buffer.from('a') }, { content: [97] }] };
  expect([email.subject, withBytes.attachments?.length]).toEqual(['Hi', 2]);
});
