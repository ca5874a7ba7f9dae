import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { jest } from '@jest/globals';
import { SecretKeys } from 'nestjs-emails';
import { EndedSessions } from './ended-sessions.js';
import { OPERATOR_MARK, OperatorSessions } from './operator-sessions.js';
import { SessionTokens } from './session-token.js';

const HOUR = 3_600_000;

function setUp() {
  const tokens = new SessionTokens(new SecretKeys(['s'.repeat(32)]).for('dashboard sessions v1'));
  const ended = new EndedSessions(undefined);
  const sessions = new OperatorSessions(tokens, { mount: '/dashboard', publicUrl: undefined }, ended);
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  const begin = (tokenId: string) => {
    sessions.begin(request, response, tokenId);
    request.headers.cookie = String(response.getHeader('set-cookie')).split(';')[0] ?? '';
  };
  return { tokens, sessions, ended, request, begin };
}

describe('OperatorSessions', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('belong to the token that opened them', async () => {
    const { sessions, request, begin } = setUp();
    expect(await sessions.isOpen(request, 'one')).toBe(false);
    begin('one');
    expect(await sessions.isOpen(request, 'one')).toBe(true);
    expect(await sessions.isOpen(request, 'other')).toBe(false);
  });

  it('last an hour', async () => {
    jest.useFakeTimers();
    const { sessions, request, begin } = setUp();
    begin('one');
    jest.advanceTimersByTime(HOUR - 1);
    expect(await sessions.isOpen(request, 'one')).toBe(true);
    jest.advanceTimersByTime(1);
    expect(await sessions.isOpen(request, 'one')).toBe(false);
  });

  it('end at once, also for a copied cookie', async () => {
    const { tokens, sessions, ended, request, begin } = setUp();
    begin('one');
    const [name = '', value = ''] = String(request.headers.cookie).split('=');
    const claims = tokens.read(name.replace(`emails_${OPERATOR_MARK}`, ''), value, Date.now());
    await ended.add(claims as NonNullable<typeof claims>);
    expect(await sessions.isOpen(request, 'one')).toBe(false);
  });

  it('are not accepted as a session of the page under any name', async () => {
    const { tokens, sessions, request } = setUp();
    const value = tokens.sign(tokens.begin('00000000-0000-4000-8000-000000000000', Date.now()));
    request.headers.cookie = `emails_${OPERATOR_MARK}${tokens.signer}=${value}; emails_${tokens.signer}=${value}`;
    expect(await sessions.isOpen(request, 'one')).toBe(false);
  });
});
