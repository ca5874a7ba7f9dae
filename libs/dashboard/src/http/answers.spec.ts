import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { answerJson } from './answers.js';

describe('answerJson', () => {
  it('is kept by nobody, and is what it says that it is', () => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    answerJson(response, { a: 'ü' }, 201);
    expect(response.statusCode).toBe(201);
    expect(response.getHeaders()).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-type': 'application/json; charset=utf-8',
      'content-length': 10,
    });
  });
});
