import type { MessageContent } from '../message/message-builder.js';
import { MessageStages } from '../message/message-stages.js';
import { Observation } from '../observation/observation.js';
import type { BuiltMessage, EmailTransport } from '../ports/email-transport.js';
import type { StagedMessage } from '../ports/message-stage.js';
import { FailureLog } from './failure-log.js';
import { Route } from './route.js';

const MESSAGE: BuiltMessage = {
  from: 'a@from.test',
  recipients: ['b@to.test'],
  needsSmtpUtf8: false,
  raw: Buffer.from('A: b\r\n\r\n'),
};

/** A route over this transport, and the questions that its message stage received. */
function routeOver(transport: Partial<EmailTransport>) {
  const asked: StagedMessage[] = [];
  const observation = new Observation([]);
  const route = new Route({ hop: 'relay', ...transport } as EmailTransport, {
    builder: { build: async () => MESSAGE },
    stages: new MessageStages([{ apply: (message) => void asked.push(message) }]),
    waiting: { release: async () => {} },
    failures: new FailureLog('hop', observation),
    observation,
    destinationConcurrency: 10,
  });
  return { route, asked };
}

describe('Route', () => {
  it.each([
    [
      { nextHop: 'mx.test:25', kind: 'ses' },
      { name: 'mx.test:25', kind: 'ses' },
    ],
    [{}, { name: 'the next hop', kind: 'smtp' }],
  ])('passes name and kind of its transport %p to message stages', async (transport, expected) => {
    const { route, asked } = routeOver(transport);
    await route.messages.build(
      { id: 'email', accountId: 'one', recipients: [{ address: 'b@to.test' }] } as MessageContent,
      ['b@to.test'],
      new Set(),
    );
    expect(asked).toMatchObject([{ transport: expected }]);
    expect([route.name, route.breaker.name]).toEqual([expected.name, expected.name]);
  });
});
