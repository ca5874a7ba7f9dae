import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { jest } from '@jest/globals';
import { ApiError } from 'nestjs-emails';
import type { Visit } from '../http/visit.js';
import type { Visitors } from '../session/visitors.js';
import type { DashboardInbox } from './dashboard-inbox.js';
import { InboxPart } from './inbox.part.js';
import type { MessageParser } from './message-parser.js';

const SOURCE = Buffer.alloc(1_000_001, 'x');
const HTML = { filename: 'a.html', contentType: 'text/html', contentId: null, content: Buffer.from('<script>') };

function setUp(onlyThisMachine = true) {
  const inbox = {
    onlyThisMachine,
    hints: [],
    list: () => [],
    open: async () => ({ size: SOURCE.length, stream: Readable.from([SOURCE]) }),
    remove: jest.fn(async () => true),
    clear: jest.fn(async () => {}),
  };
  const parser = { parse: async () => ({ attachments: [HTML] }) };
  const refuse = async () => {
    throw new ApiError(401, 'missing_api_key', 'refused');
  };
  /** A visitor with a cookie only. */
  const visitors = { admit: refuse, admitFrame: async () => ({ accountId: 'acme', permission: 'full_access' }) };
  const part = (given: object) =>
    new InboxPart(
      inbox as DashboardInbox,
      parser as unknown as MessageParser,
      given as unknown as Visitors,
      async () => null,
    );
  return { inbox, byCookie: part(visitors), byPage: part({ ...visitors, admit: visitors.admitFrame }) };
}

function visitOf(method: string, path: string, remoteAddress = '127.0.0.1'): Visit & { sent: Buffer[] } {
  const request = new IncomingMessage(Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress }));
  request.headers.host = '127.0.0.1';
  const response = new ServerResponse(request);
  const sent: Buffer[] = [];
  Object.assign(response, {
    write: (chunk: Buffer) => sent.push(chunk) > 0,
    end: () => response.emit('finish'),
  });
  const [pathname = '', query] = path.split('?');
  return { request, response, method, path: pathname, query: new URLSearchParams(query), sent };
}

describe('InboxPart', () => {
  it.each([
    ['inbox/messages/1/attachments/0', 'application/octet-stream', /^attachment; filename="a.html"/],
    ['inbox/messages/1/source?download', 'message/rfc822', /^attachment; filename="1.eml"$/],
    ['inbox/messages/1/source', 'text/plain; charset=utf-8', /^inline$/],
  ])('serves no file with its declared type: %s', async (path, type, disposition) => {
    const visit = visitOf('GET', path);
    await setUp().byPage.handle(visit);
    expect(visit.response.getHeaders()).toMatchObject({
      'content-type': type,
      'content-disposition': expect.stringMatching(disposition),
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
  });

  it('shows the beginning of a source, and downloads all of it', async () => {
    for (const [query, size] of [
      ['', 1_000_000],
      ['?download', SOURCE.length],
    ] as const) {
      const visit = visitOf('GET', `inbox/messages/1/source${query}`);
      await setUp().byPage.handle(visit);
      expect(Buffer.concat(visit.sent)).toHaveLength(size);
      expect(visit.response.getHeaders()).toMatchObject({ 'content-length': size, 'x-total-bytes': SOURCE.length });
    }
  });

  it('downloads files with a cookie alone, and reads and removes nothing', async () => {
    const { inbox, byCookie } = setUp();
    for (const path of ['1/attachments/0', '1/source?download']) {
      await expect(byCookie.handle(visitOf('GET', `inbox/messages/${path}`))).resolves.toBe(true);
    }
    for (const [method, path] of [
      ['GET', 'inbox/messages'],
      ['GET', 'inbox/messages/1'],
      ['GET', 'inbox/messages/1/source'],
      ['DELETE', 'inbox/messages?download'],
      ['DELETE', 'inbox/messages/1?download'],
      ['DELETE', 'inbox/messages/1/source?download'],
      ['DELETE', 'inbox/messages/1/attachments/0'],
    ] as const) {
      await expect(byCookie.handle(visitOf(method, path))).rejects.toMatchObject({ statusCode: 401 });
    }
    expect([inbox.clear, inbox.remove].flatMap(({ mock }) => mock.calls)).toEqual([]);
  });

  it('is hidden from other machines if it is for this machine alone', async () => {
    const visit = () => visitOf('GET', 'inbox/messages', '192.0.2.1');
    await expect(setUp().byPage.handle(visit())).rejects.toMatchObject({ statusCode: 404 });
    await expect(setUp(false).byPage.handle(visit())).resolves.toBe(true);
  });
});
