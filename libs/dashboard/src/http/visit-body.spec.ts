import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { readForm, readJson } from './visit-body.js';

function requestOf(type: string, ...chunks: string[]): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.headers['content-type'] = type;
  for (const chunk of chunks) request.push(chunk);
  request.push(null);
  return request;
}
const refusal = (status: number) => expect.objectContaining({ status });

describe('readJson', () => {
  it('reads an object in any number of pieces', async () => {
    expect(await readJson(requestOf('application/json; charset=utf-8', '{"a"', ':1}'), 100)).toEqual({ a: 1 });
  });

  it('accepts a body that a parser of the host has read', async () => {
    const request = Object.assign(requestOf('application/json'), { body: { a: 1 } });
    expect(await readJson(request, 100)).toEqual({ a: 1 });
  });

  it.each(['', '[]', 'null', '"x"', '{'])('takes no %j', async (text) => {
    await expect(readJson(requestOf('application/json', text), 100)).rejects.toEqual(refusal(400));
  });

  it.each(['', 'text/plain', 'application/jsonx', 'application/x-www-form-urlencoded'])('takes no %j', async (type) => {
    await expect(readJson(requestOf(type, '{}'), 100)).rejects.toEqual(refusal(415));
  });

  it('treats an incomplete body as a fault of the sender', async () => {
    const request = new IncomingMessage(new Socket());
    request.headers['content-type'] = 'application/json';
    const asked = readJson(request, 100);
    request.destroy(new Error('aborted'));
    await expect(asked).rejects.toEqual(refusal(400));
  });

  it('refuses too long a body, and keeps the connection for the answer', async () => {
    const request = requestOf('application/json', 'x'.repeat(60), 'x'.repeat(60), 'x');
    await expect(readJson(request, 100)).rejects.toEqual(refusal(413));
    expect(request.destroyed).toBe(false);
    const announced = requestOf('application/json');
    announced.headers['content-length'] = '101';
    await expect(readJson(announced, 100)).rejects.toEqual(refusal(413));
  });
});

describe('readForm', () => {
  it('reads fields', async () => {
    const form = await readForm(requestOf('application/x-www-form-urlencoded', 'a=1&b=%C3%BC'), 100);
    expect(Object.fromEntries(form)).toEqual({ a: '1', b: 'ü' });
  });

  it('refuses all other types', async () => {
    await expect(readForm(requestOf('multipart/form-data'), 100)).rejects.toEqual(refusal(415));
  });
});
