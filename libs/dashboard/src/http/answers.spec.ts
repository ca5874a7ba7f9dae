import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { answerJson } from './answers.js';

describe('answerJson', () => {
  it('is not cached, and has its declared type', () => {
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
