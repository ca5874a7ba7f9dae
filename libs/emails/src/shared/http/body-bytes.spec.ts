import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { GrowingBytes } from '../bytes/growing-bytes.js';
import { ApiError } from '../errors/api-error.js';
import { JsonReader } from '../json/json-reader.js';
import { RequestMemory } from '../work/request-memory.js';
import { SLICE } from '../work/slices.js';
import { readLarge } from './body-bytes.js';

const MB = 1_000_000;

describe('readLarge', () => {
  let server: Server;
  let memory: RequestMemory;
  const results: Promise<Buffer>[] = [];

  beforeEach(async () => {
    results.length = 0;
    memory = new RequestMemory({ medium: 8 * MB, large: 8 * MB });
    server = createServer((incoming, response) => {
      const announced = incoming.headers['content-length'];
      const wire = Number(announced ?? 4 * MB);
      const share = memory.open('a', wire, announced !== undefined);
      const body = new GrowingBytes(wire, announced !== undefined);
      const result = readLarge(incoming, share, { wire, kept: wire }, new JsonReader(body))
        .then(() => body.bytes)
        .finally(() => share.close());
      results.push(result);
      result.then(
        () => response.end('read'),
        (error: ApiError) => response.writeHead(error.statusCode).end(error.message),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const open = (headers = {}) =>
    request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', method: 'POST', headers, agent: false });
  const statusOf = (outgoing: ReturnType<typeof open>) =>
    new Promise<number | undefined>((resolve, reject) => {
      outgoing.once('response', ({ statusCode }) => resolve(statusCode)).once('error', reject);
    });

  it.each([0, 1, 70_000, 3 * MB])('reads %i bytes, announced or not, in pieces of any size', async (length) => {
    const body = Buffer.alloc(length, 'abcdefg');
    for (const headers of [{}, { 'content-length': length }]) {
      const outgoing = open(headers);
      const status = statusOf(outgoing);
      for (let at = 0, size = 1; at < length; at += size, size = Math.min(size * 3, length)) {
        outgoing.write(body.subarray(at, at + size));
      }
      outgoing.end();
      expect(await status).toBe(200);
      expect((await results.pop())?.equals(body)).toBe(true);
    }
  });

  it.each([65_000, 100_000, 130_000, 200_000])('reads all %i bytes when each step waits for room', async (length) => {
    let room = 64_000;
    const makeRoom = async (bytes: number) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      room = Math.max(bytes, room * 2);
    };
    const patient = {
      follow: () => new AbortController().signal,
      unfollow: () => {},
      excuse: () => {},
      makeRoom: (bytes: number) => (bytes <= room ? undefined : makeRoom(bytes)),
    };
    const kept = new GrowingBytes(length, true);
    server.removeAllListeners('request').on('request', (incoming, response) => {
      const limits = { wire: length, kept: length };
      const result = readLarge(incoming, patient as never, limits, new JsonReader(kept)).then(() => kept.bytes);
      results.push(result);
      void result.finally(() => response.end());
    });
    const body = Buffer.alloc(length, 'abcdefg');
    const outgoing = open({ 'content-length': length });
    const status = statusOf(outgoing);
    outgoing.end(body);
    expect(await status).toBe(200);
    expect((await results[0])?.equals(body)).toBe(true);
  });

  it('pauses while there is no room, and reads everything afterwards', async () => {
    const other = memory.open('b', 8 * MB, true);
    await other.makeRoom(8 * MB);
    const outgoing = open({ 'transfer-encoding': 'chunked' });
    const status = statusOf(outgoing);
    outgoing.end(Buffer.alloc(3 * MB));
    while (results.length === 0) await new Promise(setImmediate);
    other.close();
    expect(await status).toBe(200);
    expect((await results[0])?.length).toBe(3 * MB);
  });

  it('refuses too long a body, and reads the rest so that the client receives the refusal', async () => {
    const outgoing = open({ 'transfer-encoding': 'chunked' });
    const status = statusOf(outgoing);
    outgoing.end(Buffer.alloc(20 * MB));
    expect(await status).toBe(413);
    await expect(results[0]).rejects.toMatchObject({ statusCode: 413 });
  });

  it('reads the rest after the first megabyte of each body in later turns, for any number of bodies', async () => {
    const length = 4 * MB;
    const read: Record<number, number> = {};
    let turn = 0;
    const count = () => {
      turn++;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    const bodies = Array.from({ length: 2 }, async () => {
      const source = new Readable({ read: () => {}, highWaterMark: length });
      for (let at = 0; at < length; at += 50_000) source.push(Buffer.alloc(50_000));
      source.push(null);
      const json = new JsonReader(new GrowingBytes(length, true));
      const add = json.add.bind(json);
      json.add = (piece) => {
        if (json.size >= MB) read[turn] = (read[turn] ?? 0) + piece.length;
        return add(piece);
      };
      await readLarge(source as never, memory.open('a', length, true), { wire: length, kept: length }, json);
    });
    await Promise.all(bodies);
    clearImmediate(next);
    const each = Object.values(read);
    expect(each.reduce((sum, bytes) => sum + bytes)).toBe(2 * (length - MB));
    expect(Math.max(...each)).toBeLessThan(2 * SLICE);
  });

  describe('a file in numbers', () => {
    const file = Buffer.alloc(1.5 * MB, 'abcdefg');
    const text = Buffer.from(`{"attachments":[{"content":[${[...file].join(', ')}]}]}`);
    const advanced: number[] = [];

    /** Limit of the bytes that are kept. */
    function keep(kept: number): void {
      advanced.length = 0;
      server.removeAllListeners('request').on('request', (incoming, response) => {
        const share = memory.open('a', kept);
        share.advance = (bytes) => advanced.push(bytes);
        const body = new GrowingBytes(kept);
        const json = new JsonReader(body);
        const result = readLarge(incoming, share, { wire: text.length, kept }, json)
          .then(() => json.end())
          .finally(() => share.close());
        const read = result.then(() => body.bytes);
        results.push(read);
        read.then(
          () => response.end(),
          ({ statusCode }) => response.writeHead(statusCode).end(),
        );
      });
    }

    it('claims the memory that it holds, and keeps the pace of arrival', async () => {
      keep(2 * MB);
      const outgoing = open({ 'transfer-encoding': 'chunked' });
      const status = statusOf(outgoing);
      outgoing.end(text);
      expect(await status).toBe(200);
      expect((await results[0])?.includes(file)).toBe(true);
      const dropped = advanced.reduce((sum, bytes) => sum + bytes, 0);
      expect(dropped).toBeGreaterThan(text.length - file.length - 0.5 * MB);
      expect(dropped).toBeLessThan(text.length - file.length);
    });

    it('is refused above the limit of received bytes, even if few are kept', async () => {
      keep(2 * MB);
      const outgoing = open({ 'transfer-encoding': 'chunked' });
      const status = statusOf(outgoing);
      outgoing.write(text.subarray(0, -4));
      outgoing.end(Buffer.alloc(MB, ' '));
      expect(await status).toBe(413);
      await expect(results[0]).rejects.toMatchObject({ message: expect.stringContaining(`than ${text.length} bytes`) });
    });

    it('is refused above the limit of kept bytes', async () => {
      keep(MB);
      const outgoing = open({ 'content-length': text.length });
      const status = statusOf(outgoing);
      outgoing.end(text);
      expect(await status).toBe(413);
      await expect(results[0]).rejects.toMatchObject({ message: 'The request body is larger than 1000000 bytes.' });
    });
  });

  it.each([{}, { 'content-length': 2 * MB }])('fails when it ends early: %j', async (headers) => {
    const outgoing = open(headers).on('error', () => {});
    outgoing.write(Buffer.alloc(MB));
    while (results.length === 0) await new Promise(setImmediate);
    outgoing.destroy();
    await expect(results[0]).rejects.toMatchObject({ statusCode: 400 });
    // No memory is left reserved.
    expect(memory.open('b', 8 * MB, true).makeRoom(8 * MB)).toBeUndefined();
  });

  it('fails when it had ended before', async () => {
    const destroyed = { destroyed: true, off: () => destroyed, on: () => destroyed, resume: () => destroyed };
    const share = memory.open('a', MB);
    const json = new JsonReader(new GrowingBytes(MB));
    await expect(readLarge(destroyed as never, share, { wire: MB, kept: MB }, json)).rejects.toMatchObject({
      statusCode: 400,
    });
  });
});
