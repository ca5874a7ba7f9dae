import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import type { JsonBodyReader } from '../http/json-body.reader.js';
import { emailLists, otherAnswers } from '../http/large-answers.js';
import { ownAnswer } from './own-answer.js';

/** The answer of a route that reserves this many bytes. */
async function answerOf(body: object, room: number): Promise<unknown> {
  const route = async (_request: IncomingMessage, response: ServerResponse) => {
    if (room > 0) await emailLists.makeRoom(room, 'one', response);
    return body;
  };
  const answer = ownAnswer(route, [], {} as JsonBodyReader);
  const server = createServer((request, response) => void answer.call({}, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    return await (await fetch(`http://127.0.0.1:${port}`)).json();
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('ownAnswer', () => {
  const makeRoom = jest.spyOn(otherAnswers, 'makeRoom');
  const list = (count: number) => ({
    // Four characters.
    object: 'list',
    data: Array.from({ length: count }, (_, id) => ({ id, to: Array(10).fill('x'.repeat(1_000)) })),
    has_more: false,
  });

  beforeEach(() => void makeRoom.mockClear());
  afterAll(() => makeRoom.mockRestore());

  it.each([
    ['a short answer', 1, 0, 0],
    ['an answer with reserved memory', 20, 200_000, 0],
    ['a long answer with reserved memory', 200, 2_000_000, 0],
    ['a long answer without reserved memory', 200, 0, 2_000_004],
    ['a long answer with little reserved memory', 200, 66_000, 1_934_004],
  ])('reserves the missing memory for %s', async (_, count, room, missing) => {
    const body = list(count);
    expect(await answerOf(body, room)).toEqual(body);
    if (missing === 0) expect(makeRoom).not.toHaveBeenCalled();
    else expect(makeRoom).toHaveBeenCalledWith(missing, '', expect.anything());
  });
});
