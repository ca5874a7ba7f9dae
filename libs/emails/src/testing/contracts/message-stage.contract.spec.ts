import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { jest } from '@jest/globals';
import type { MessageStage, StagedMessage } from '../../emails/ports/message-stage.js';
import { brokenOf, firstComplaint } from './contracts.spec-tools.js';
import { messageStageContract } from './message-stage.contract.js';

const ENVELOPE = { from: 'a@from.test', recipients: ['b@to.test', 'c@to.test'] };
const casesOf = (apply: unknown, isSignature = false) =>
  messageStageContract(() => ({ apply, isSignature }) as MessageStage, ENVELOPE);
const bytesOf = async ({ raw }: StagedMessage) => (Buffer.isBuffer(raw) ? raw : buffer(raw()));

describe('messageStageContract', () => {
  it.each<[string, unknown]>([
    ['does nothing', () => undefined],
    ['gives a return path', ({ emailId }: StagedMessage) => ({ envelopeFrom: `bounce+${emailId}@from.test` })],
    [
      'signs',
      async (message: StagedMessage) => ({
        headers: [
          [
            'X-Hash',
            createHash('sha256')
              .update(await bytesOf(message))
              .digest('hex'),
          ],
        ],
      }),
    ],
  ])('is kept by one that %s', async (_, apply) => {
    expect(await brokenOf(casesOf(apply, true))).toEqual({});
  });

  it.each<[string, unknown, RegExp]>([
    ['hides a second header in a value', () => ({ headers: [['X-A', '1\r\nBcc: x@to.test']] }), /folded by CR LF/],
    ['misspells a key', () => ({ header: [['X-A', '1']] }), /no other keys/],
    ['gives no address', () => ({ envelopeFrom: 'nobody' }), /`@`/],
    [
      'writes into the message',
      async (message: StagedMessage) => void (await bytesOf(message)).fill(0x20, 0, 4),
      /must stay as they were/,
    ],
    ['accepts small messages only', ({ raw }: StagedMessage) => void (raw as Buffer).subarray(1), /not a function/],
    ['fails', () => Promise.reject(new Error('no key')), /no key/],
  ])('is broken by one that %s', async (_, apply, complaint) => {
    expect(await firstComplaint(casesOf(apply))).toMatch(complaint);
  });

  it('is broken by one that hangs', async () => {
    jest.useFakeTimers();
    const [first] = casesOf(() => new Promise(() => {}));
    const broken = expect(first?.run()).rejects.toThrow('within 3 seconds');
    await jest.advanceTimersByTimeAsync(3_000);
    await broken;
    jest.useRealTimers();
  });
});
