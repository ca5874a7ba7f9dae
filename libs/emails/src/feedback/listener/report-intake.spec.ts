import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ThreadLimitError } from '../../shared/work/work-thread.js';
import type { IncomingReport } from '../incoming/incoming-report.js';
import { ReportIntake } from './report-intake.js';
import type { ReadReport } from './report-reader.js';

/** Takes a message in which these reports are read. */
async function take(
  reports: readonly ReadReport[],
  { token, trusted = false, isOfOne = false }: { token?: string; trusted?: boolean; isOfOne?: boolean } = {},
) {
  const told: IncomingReport[] = [];
  const read: Uint8Array[] = [];
  const asked: Buffer[] = [];
  const intake = new ReportIntake(
    {
      record: async (report) => {
        told.push(report);
        return 'recorded';
      },
    },
    {
      read: async (bytes) => {
        read.push(bytes);
        return reports;
      },
    },
  );
  const trust = {
    admits: async (message: Buffer) => {
      asked.push(message);
      return trusted;
    },
  };
  await intake.take(
    { token, isOfOne, network: '192.0.2.1', from: 'a@b\r\nX-Evil: 1', bytes: Buffer.from('Subject: x\r\n\r\n') },
    trust,
  );
  return { told, counts: intake.counts, read: String(read[0]), asked };
}

beforeAll(() => Logger.overrideLogger(false));

describe('ReportIntake', () => {
  it('records a bounce under the token of the address, whatever the message says', async () => {
    const bounced = {
      kind: 'bounced',
      token: 'other',
      messageId: 'x@y',
      recipient: 'a@to.test',
      reply: '550 5.1.1 no',
    };
    const { told, counts } = await take([bounced], { token: 'proven' });
    expect(told).toEqual([
      { kind: 'bounced', source: 'dsn', token: 'proven', recipient: 'a@to.test', reply: '550 5.1.1 no' },
    ]);
    expect(counts.recorded).toBe(1);
  });

  it('does not count a bounce at a feedback address', async () => {
    const { told, counts } = await take([{ kind: 'bounced', token: 'x' }], { trusted: true });
    expect([told, counts.untrusted]).toEqual([[], 1]);
  });

  it.each([
    ['a feedback address', undefined, { token: 'inner', messageId: 'x@y' }],
    ['the address of a token', 'proven', { token: 'proven' }],
  ])('counts a complaint at %s only with a signature', async (_, token, found) => {
    const complaint = { kind: 'complained', token: 'inner', messageId: 'x@y', recipient: 'a@to.test' };
    const given = token === undefined ? {} : { token };
    expect(await take([complaint], given)).toMatchObject({ told: [], counts: { untrusted: 1 } });
    const { told, asked } = await take([complaint, complaint], { ...given, trusted: true });
    expect(told).toEqual([{ kind: 'complained', source: 'feedback', recipient: 'a@to.test', ...found }]);
    expect(String(asked[0])).toBe('Subject: x\r\n\r\n');
  });

  it('asks for no signature of a bounce', async () => {
    expect((await take([{ kind: 'bounced' }], { token: 't' })).asked).toEqual([]);
  });

  it.each(['auto_reply', 'noted', 'opt_out', 'toString'])('ignores %s', async (kind) => {
    expect(await take([{ kind }], { token: 't' })).toMatchObject({ told: [], counts: { ignored: 1 } });
  });

  it('counts a message without a report as ignored', async () => {
    expect((await take([], { token: 't' })).counts.ignored).toBe(1);
  });

  it('puts the reverse-path on top, in one field', async () => {
    expect((await take([])).read).toBe('x-envelope-from: <a@bX-Evil: 1>\r\nSubject: x\r\n\r\n');
  });

  it('notes what leads to no email at a feedback address, and not at the address of a token', async () => {
    let noted = 0;
    const note = async () => {
      noted += 1;
    };
    const complaint = { kind: 'complained', messageId: 'x@y' };
    const intake = new ReportIntake({ record: async () => 'unmatched' }, { read: async () => [complaint] }, { note });
    const trust = { admits: async () => true };
    const message = { isOfOne: false, network: '192.0.2.1', from: '', bytes: Buffer.from('Subject: x\r\n\r\n') };
    await intake.take({ ...message, token: 't' }, trust);
    expect([noted, intake.counts.unmatched]).toEqual([0, 1]);
    await intake.take({ ...message, token: undefined }, trust);
    expect([noted, intake.counts.unmatched]).toEqual([1, 2]);
  });

  it('reads the beginning of a large message', async () => {
    const read: number[] = [];
    const reader = async (bytes: Uint8Array) => {
      read.push(bytes.length);
      return [];
    };
    const intake = new ReportIntake({ record: async () => 'recorded' }, { read: reader });
    const bytes = Buffer.alloc(1_000_000, 'x\r\n');
    await intake.take(
      { token: 't', isOfOne: false, network: '192.0.2.1', from: '', bytes },
      { admits: async () => false },
    );
    expect(read).toEqual(['x-envelope-from: <>\r\n'.length + 131_072]);
  });

  it('adds the status to words that lack one', async () => {
    const reports = [
      { kind: 'bounced', recipient: 'a@to.test', status: '5.1.1', reply: '550 unknown' },
      { kind: 'bounced', recipient: 'b@to.test', status: '5.0.0', reply: '550 5.1.1 unknown' },
      { kind: 'bounced', recipient: 'c@to.test', status: '5.2.2' },
      { kind: 'bounced', recipient: 'd@to.test', reasonCode: 'mailbox_full' },
    ];
    const { told } = await take(reports, { token: 't' });
    expect(told.map(({ reply }) => reply)).toEqual(['5.1.1 550 unknown', '550 5.1.1 unknown', '5.2.2', undefined]);
    expect(told[3]?.code).toBe('mailbox_full');
  });

  it('records each recipient once, and a limited number', async () => {
    const reports = Array.from({ length: 10_000 }, (_, at) => ({ kind: 'bounced', recipient: `r${at >> 1}@to.test` }));
    const { told } = await take(reports, { token: 't' });
    expect(told).toHaveLength(200);
    expect(new Set(told.map(({ recipient }) => recipient)).size).toBe(200);
  });

  it('records one report of each kind with the token of one recipient', async () => {
    const reports = Array.from({ length: 200 }, (_, at) => [
      { kind: 'deferred', recipient: `r${at}@to.test` },
      { kind: 'bounced', recipient: `r${at}@to.test` },
    ]).flat();
    const { told } = await take(reports, { token: 't', isOfOne: true });
    expect(told.map(({ kind, recipient }) => [kind, recipient])).toEqual([
      ['deferred', 'r0@to.test'],
      ['bounced', 'r0@to.test'],
    ]);
  });

  it('drops a message that cannot be read within its limits, with a warning, and no other', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const message = {
      token: undefined,
      isOfOne: false,
      network: '192.0.2.1',
      from: '',
      bytes: Buffer.from('Subject: x\r\n\r\n'),
    };
    const complaint = { kind: 'complained' };
    let error: Error = new ThreadLimitError('It took too long.');
    const fail = () => Promise.reject(error);
    const record = async () => 'recorded' as const;
    const reading = new ReportIntake({ record }, { read: fail });
    const verifying = new ReportIntake({ record }, { read: async () => [complaint] });
    await reading.take(message, { admits: fail });
    await verifying.take(message, { admits: fail });
    expect([reading.counts.unreadable, verifying.counts.unreadable, warn.mock.calls.length]).toEqual([1, 1, 2]);
    error = new Error('The thread ended.');
    await expect(reading.take(message, { admits: fail })).rejects.toBe(error);
    await expect(verifying.take(message, { admits: fail })).rejects.toBe(error);
  });
});
