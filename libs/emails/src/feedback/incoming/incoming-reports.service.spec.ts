import type { ReportedOutcome, ReportResult } from '../../index.js';
import { SecretKeys } from '../../shared/keys/secret-keys.js';
import { ReturnPathTokens } from '../return-path/return-path-tokens.js';
import type { EmailReference } from './email-references.js';
import type { IncomingReport } from './incoming-report.js';
import { IncomingReportsService } from './incoming-reports.service.js';

const [EMAIL, OTHER] = ['0196a000-0000-7000-8000-000000000001', '0196a000-0000-7000-8000-000000000002'];
const tokens = new ReturnPathTokens(new SecretKeys(['s'.repeat(32)]));
const tokenOf = (recipient: number | undefined, emailId = EMAIL) => tokens.sign({ emailId, recipient }) as string;

/** A service whose core knows one email, with one recipient. */
function service(answer: (outcome: ReportedOutcome) => ReportResult = () => 'recorded') {
  const reported: ReportedOutcome[] = [];
  const emails = {
    report: async (outcome: ReportedOutcome) => {
      reported.push(outcome);
      return outcome.emailId === EMAIL ? answer(outcome) : 'unknown_email';
    },
  };
  const known: Record<string, string> = { 'relay:0102-1': EMAIL, 'message:given@from.test': EMAIL };
  const references = { find: async ({ kind, text }: EmailReference) => known[`${kind}:${text}`] };
  return { reports: new IncomingReportsService(emails, tokens, references), reported };
}
const bounced = (some: Partial<IncomingReport>): IncomingReport => ({ kind: 'bounced', source: 'dsn', ...some });

describe('IncomingReportsService', () => {
  it.each<[string, Partial<IncomingReport>]>([
    ['a token', { token: tokenOf(0) }],
    ['an id', { emailId: EMAIL.toUpperCase() }],
    ['a Message-ID of ours', { messageId: `<${EMAIL}@from.test>` }],
    ['a given Message-ID', { messageId: 'given@from.test' }],
    ["a relay's id", { relayId: '0102-1' }],
    ['the next field', { token: 'forged', emailId: 'x', messageId: 'x@y', relayId: '0102-1' }],
    ['the next email', { token: tokenOf(0, OTHER), emailId: OTHER, messageId: `<${EMAIL}@from.test>` }],
  ])('finds an email by %s', async (_, fields) => {
    const { reports, reported } = service();
    expect(await reports.record(bounced(fields))).toBe('recorded');
    expect(reported.at(-1)?.emailId.toLowerCase()).toBe(EMAIL);
  });

  it("asks for the relay's own id first: another may be the caller's", async () => {
    const { reports, reported } = service();
    await reports.record(bounced({ emailId: OTHER, messageId: `<${OTHER}@from.test>`, relayId: '0102-1' }));
    expect(reported.map(({ emailId }) => emailId)).toEqual([EMAIL]);
  });

  it.each<[string, Partial<IncomingReport>]>([
    ['nothing', {}],
    ['a forged token', { token: tokenOf(0).replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')) }],
    ['ids of no email', { emailId: OTHER, messageId: '<x@y>', relayId: 'x' }],
  ])('is unmatched with %s', async (_, fields) => {
    expect(await service().reports.record(bounced(fields))).toBe('unmatched');
  });

  it('takes the recipient of a token, whatever address the report names', async () => {
    const { reports, reported } = service();
    await reports.record(bounced({ token: tokenOf(2), recipient: 'b@to.test', reply: '550 no' }));
    expect(reported).toEqual([
      expect.objectContaining({ emailId: EMAIL, recipientIndex: 2, kind: 'bounced', reply: '550 no' }),
    ]);
    expect(reported[0]).not.toHaveProperty('recipient');
  });

  it('names the original recipient first, in A-labels', async () => {
    const { reports, reported } = service();
    await reports.record(bounced({ emailId: EMAIL, recipient: 'b@else.test', originalRecipient: '<a@bücher.test>' }));
    expect(reported[0]).toMatchObject({ recipient: ['a@xn--bcher-kva.test', 'b@else.test'], mayBeUnnamed: true });
  });

  it('does not confirm a bounce by a token that several recipients share', async () => {
    const { reports, reported } = service();
    expect(await reports.record(bounced({ token: tokenOf(undefined), recipient: 'x@else.test' }))).toBe('recorded');
    expect(reported).toMatchObject([{ recipient: ['x@else.test'], mayBeUnnamed: true, code: 'unconfirmed_bounce' }]);
    await reports.record({ token: tokenOf(undefined), recipient: 'a@to.test', kind: 'complained', source: 'feedback' });
    expect(reported.at(-1)?.code).toBeUndefined();
  });

  it.each(['', 'no address', 'a@b@c', '\0', 'a@to.test, b@to.test', `${'x'.repeat(100_000)}@y`])(
    'names nobody for the address %#',
    async (recipient) => {
      const { reports, reported } = service();
      await reports.record(bounced({ emailId: EMAIL, recipient }));
      expect(reported).toEqual([expect.not.objectContaining({ recipient: expect.anything() })]);
    },
  );

  it('passes an error of the core on, so that the report comes again', async () => {
    const { reports } = service(() => {
      throw new Error('locked');
    });
    await expect(reports.record(bounced({ token: tokenOf(0) }))).rejects.toThrow('locked');
  });
});
