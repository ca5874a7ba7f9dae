import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ReportThread } from './report-thread.js';

const PROGRAM = new URL('./report.worker.ts', import.meta.url);
const TYPESCRIPT = new URL('../../../../../test/support/typescript.mjs', import.meta.url);
const options = { execArgv: ['--import', TYPESCRIPT.href] };
const BOUNCE =
  'From: mailer-daemon@mx.test\r\nSubject: Undelivered mail\r\n\r\n<a@to.test>: 550 5.1.1 user unknown\r\n';

describe('ReportThread', () => {
  it('reads and verifies reports in a thread', async () => {
    const thread = new ReportThread(PROGRAM, options);
    const [reports, verdict] = await Promise.all([
      thread.read(Buffer.from(BOUNCE), '192.0.2.1'),
      thread.verify({ message: Buffer.from(BOUNCE), senders: ['provider.test'], keys: {} }, '192.0.2.1'),
    ]);
    expect(reports).toMatchObject([{ kind: 'bounced', recipient: 'a@to.test', reasonCode: 'address_unknown' }]);
    expect(verdict).toBe('fail');
  });

  it('fails for a task that cannot be done, without the event loop, and does the next one', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn');
    const thread = new ReportThread(PROGRAM, options);
    const odd = { message: Buffer.from(BOUNCE), senders: undefined as unknown as string[], keys: {} };
    await expect(thread.verify(odd, '192.0.2.1')).rejects.toThrow('TypeError');
    expect(await thread.read(Buffer.from(BOUNCE), '192.0.2.1')).toHaveLength(1);
    expect(warn).not.toHaveBeenCalled();
  });

  it('is busy for those that wait too long', async () => {
    const silent = new URL(
      `data:text/javascript,${encodeURIComponent(
        "import { parentPort } from 'node:worker_threads'; parentPort.on('message', (task) => task.read.length > 1 && parentPort.postMessage({ result: [] })); parentPort.postMessage({});",
      )}`,
    );
    const thread = new ReportThread(silent, {}, 10);
    void thread.read(Buffer.from('x'), '192.0.2.1').catch(() => {});
    await expect(thread.read(Buffer.from('xx'), '192.0.2.2')).rejects.toMatchObject({ name: 'ReportThreadBusy' });
  });
});
