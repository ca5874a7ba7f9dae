import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { requestLogging } from './request-logging.js';

interface Line {
  level: number;
  requestId: string;
  method: string;
  path: string;
  status: number;
  ms: number;
}

async function exchange(method: string, path: string): Promise<{ text: string; line: Line; requestId: unknown }> {
  const lines: string[] = [];
  const app = express();
  app.use(requestLogging(pino({}, { write: (line) => lines.push(line) })));
  app.get('/contacts/:email', (_request, response) => void response.send('a body'));
  app.get('/files/:kid/:token', (_request, response) => void response.send('a body'));
  app.get('/broken', () => {
    throw new Error('about bob@example.com');
  });
  app.use(
    (_error: unknown, _request: unknown, response: express.Response, _next: unknown) => void response.sendStatus(500),
  );
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const headers = {
      authorization: 'Bearer re_12345678',
      'x-request-id': 'from bob@example.com',
      connection: 'close',
    };
    const outgoing = httpRequest({ port, path, method, headers }).end('{"subject":"hello"}');
    const [response] = await once(outgoing, 'response');
    response.resume();
    await once(response, 'end');
    return { text: lines.join(''), line: JSON.parse(lines[0] ?? ''), requestId: response.headers['x-request-id'] };
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

describe('requestLogging', () => {
  it('logs method, pattern, status, time and the request id in the answer', async () => {
    const { line, requestId } = await exchange('GET', '/contacts/bob@example.com?token=re_12345678');
    expect(line).toMatchObject({ level: 30, method: 'GET', path: '/contacts/:email', status: 200 });
    expect(line.ms).toBeGreaterThanOrEqual(0);
    expect(line.requestId).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    expect(requestId).toBe(line.requestId);
  });

  it.each([
    ['GET', '/contacts/bob@example.com?token=re_12345678', '/contacts/:email'],
    ['POST', '/contacts/bob@example.com', '/contacts'],
    ['GET', '/bob@example.com', '(unknown)'],
    ['GET', '/re_12345678', '(unknown)'],
    ['GET', '/files/kid/re_12345678', '/files/:kid/:token'],
    ['DELETE', '/files/kid/re_12345678', '/files'],
    ['GET', '/files/re_12345678', '/files'],
    ['GET', '/files/kid/re_12345678/%zz', '/files'],
    ['GET', '//files/kid/re_12345678', '(unknown)'],
    ['GET', '/broken?x=bob@example.com', '/broken'],
  ])('logs no data of a caller: %s %s', async (method, path, logged) => {
    const { text, line } = await exchange(method, path);
    expect(line.path).toBe(logged);
    expect(text).not.toMatch(/example|re_12345678|hello|a body|127\.0\.0\.1/);
  });

  it('logs an error for a server failure', async () => {
    const { line } = await exchange('GET', '/broken');
    expect(line).toMatchObject({ level: 50, status: 500 });
  });
});
