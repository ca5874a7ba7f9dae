import { Readable } from 'node:stream';
import { type ArgumentsHost, Catch, type ExceptionFilter, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { Response } from 'express';
import { ApiError } from 'nestjs-emails';
import type { Inbox } from './inbox.js';
import { InboxModule } from './inbox.module.js';
import { type DkimStatus, PENDING } from './signatures/signature-check.js';

@Catch(ApiError)
class ApiErrorFilter implements ExceptionFilter<ApiError> {
  catch(error: ApiError, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(error.statusCode).json(error.toBody());
  }
}

const PASS: DkimStatus = { status: 'pass', signatures: [] };

describe('InboxController', () => {
  const MESSAGE = Buffer.from('Subject: <script>\r\n\r\n\xff\x00', 'latin1');
  const entries = Array.from({ length: 101 }, (_, i) => ({
    id: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
    from: 'a@example.com',
    to: ['b@example.com'],
    subject: `number ${i}`,
    received_at: '2026-11-21T05:26:01.123Z',
    attachments: 0,
    size: 25,
  }));
  const id = entries[0]?.id;
  const inbox: Inbox = {
    url: 'smtp://127.0.0.1:1',
    list: () => entries,
    signatures: async () => new Map([[id ?? '', PASS]]),
    raw: async (wanted) => (wanted === id ? { size: MESSAGE.length, stream: Readable.from([MESSAGE]) } : undefined),
    remove: async () => false,
    clear: async () => {},
    reportTo: () => {},
    close: async () => {},
  };
  let app: INestApplication;
  let address: string;

  beforeAll(async () => {
    const module = await Test.createTestingModule({ imports: [InboxModule.register(inbox)] }).compile();
    app = module.createNestApplication({ logger: false }).useGlobalFilters(new ApiErrorFilter());
    await app.listen(0, '127.0.0.1');
    address = await app.getUrl();
  });

  afterAll(() => app.close());

  it('lists the newest hundred, each with the result for its signatures', async () => {
    const response = await fetch(`${address}/inbox`);
    expect(response.status).toBe(200);
    const data = entries.slice(0, 100).map((entry, index) => ({ ...entry, dkim: index === 0 ? PASS : PENDING }));
    expect(await response.json()).toEqual({ object: 'list', has_more: true, data });
  });

  it('shows one message', async () => {
    const response = await fetch(`${address}/inbox/${id}`);
    expect(await response.json()).toEqual({ object: 'inbox_message', ...entries[0], dkim: PASS });
    expect((await fetch(`${address}/inbox/x`)).status).toBe(404);
  });

  it('serves a message as a download, byte for byte', async () => {
    const response = await fetch(`${address}/inbox/${id}/raw`);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'message/rfc822',
      'content-disposition': `attachment; filename="${id}.eml"`,
      'content-length': String(MESSAGE.length),
      'x-content-type-options': 'nosniff',
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(MESSAGE)).toBe(true);
  });

  it.each([entries[1]?.id, 'x', '..%2f..%2fetc%2fpasswd', '%00'])('has no message %s', async (unknown) => {
    const response = await fetch(`${address}/inbox/${unknown}/raw`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ statusCode: 404, name: 'not_found' });
  });

  it('is hidden from other machines', async () => {
    for (const path of ['/inbox', `/inbox/${id}`, `/inbox/${id}/raw`]) {
      const response = await fetch(`${address}${path}`, { headers: { 'x-forwarded-for': '192.0.2.1' } });
      expect(response.status).toBe(404);
    }
  });
});
