import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { refuse } from '../../../shared/http/refuse.js';
import { sendFile } from './send-file.js';

const SIZE = 100_000;
const PIECE = Buffer.alloc(SIZE / 10, 1);

describe('sendFile', () => {
  let server: Server;
  let contentType = 'text/html';
  let read: () => AsyncGenerator<Uint8Array>;
  let ended: Promise<unknown>;
  const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => {});

  beforeEach(async () => {
    log.mockClear();
    server = createServer((request, response) => {
      const file = { filename: 'a.bin', contentType, size: SIZE, read: () => read() };
      ended = sendFile(file, request, response).catch((error: unknown) => refuse(error, request, response));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  async function ask(): Promise<IncomingMessage> {
    const [response] = await once(get({ port: (server.address() as AddressInfo).port, agent: false }), 'response');
    return response;
  }

  it('sends each piece that was read', async () => {
    read = async function* () {
      for (let count = 0; count < 10; count++) yield PIECE;
    };
    expect(await buffer(await ask())).toHaveLength(SIZE);
    await ended;
  });

  it.each([
    ['text/html; charset=utf-8', 'text/html; charset=utf-8'],
    ['text/csv; name="漢.csv"', 'text/csv'],
    ['text/csv; name="ä.csv"', 'text/csv'],
  ])('has the headers of a file that is %s', async (stored, header) => {
    contentType = stored;
    read = async function* () {
      for (let count = 0; count < 10; count++) yield PIECE;
    };
    const answer = await ask();
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, header]);
    answer.resume();
    await ended;
  });

  it('answers with the storage failure before the first byte, and breaks off after it; both are logged', async () => {
    // biome-ignore lint/correctness/useYield: it fails before
    read = async function* () {
      throw new Error('The attachment storage failed: TypeError');
    };
    const refused = await ask();
    expect([refused.statusCode, refused.headers['content-disposition']]).toEqual([500, undefined]);
    refused.resume();
    let go = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      go = resolve;
    });
    read = async function* () {
      yield PIECE;
      await isAnswered;
      throw new Error('The attachment storage failed: TypeError');
    };
    const answer = await ask();
    go();
    await expect(buffer(answer)).rejects.toThrow('aborted');
    await ended;
    expect(log).toHaveBeenCalledTimes(2);
  });

  it('stops reading when the client disconnects, without a failure', async () => {
    let isOver = false;
    read = async function* () {
      try {
        for (;;) yield PIECE;
      } finally {
        isOver = true;
      }
    };
    const response = await ask();
    response.on('error', () => {});
    response.destroy();
    await ended;
    expect(isOver).toBe(true);
    expect(log).not.toHaveBeenCalled();
  });
});
