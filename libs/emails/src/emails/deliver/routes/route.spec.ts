import type { MessageContent } from '../../message/message-builder.js';
import { MessageStages } from '../../message/message-stages.js';
import { Observation } from '../../observation/observation.js';
import type { BuiltMessage, EmailTransport } from '../../ports/email-transport.js';
import type { StagedMessage } from '../../ports/message-stage.js';
import { HopBits } from '../../storage/deliver/hop-bits.js';
import { Route } from './route.js';

const MESSAGE: BuiltMessage = {
  from: 'a@from.test',
  recipients: ['b@to.test'],
  needsSmtpUtf8: false,
  raw: Buffer.from('A: b\r\n\r\n'),
};

/** A route over this transport, and the questions that its message stage received. */
function routeOver(transport: Partial<EmailTransport>, name?: string) {
  const asked: StagedMessage[] = [];
  const parts = {
    builder: { build: async () => MESSAGE },
    stages: new MessageStages([{ apply: (message) => void asked.push(message) }]),
    observation: new Observation([]),
    rules: {},
    destinationConcurrency: 10,
    wrap: (transport: EmailTransport) => transport,
    permits: { take: async () => ({ granted: 1, wait: 0 }) },
    concurrency: 16,
    bits: new HopBits([]),
  };
  return {
    route: new Route({ name, transport: { hop: 'relay', ...transport } as EmailTransport }, parts as never),
    asked,
  };
}

describe('Route', () => {
  it.each([
    [{ nextHop: 'mx.test:25', kind: 'ses' }, undefined, { name: 'mx.test:25', kind: 'ses' }],
    [{ nextHop: 'mx.test:25', kind: 'ses' }, 'first', { name: 'first', kind: 'ses' }],
    [{}, undefined, { name: 'the next hop', kind: 'smtp' }],
  ])('passes name and kind of its transport %p, named %p, to message stages', async (transport, name, expected) => {
    const { route, asked } = routeOver(transport, name);
    await route.messages.build(
      { id: 'email', accountId: 'one', recipients: [{ address: 'b@to.test' }] } as MessageContent,
      ['b@to.test'],
      new Set(),
    );
    expect(asked).toMatchObject([{ transport: expected }]);
    expect([route.name, route.breaker.name]).toEqual([expected.name, expected.name]);
  });

  it('knows the host of a server of the recipients, whatever its name', () => {
    const host = (hop: 'final' | 'relay') => routeOver({ hop, nextHop: 'mx.test:25' }, 'first').route.rules.host;
    expect([host('final'), host('relay')]).toEqual(['mx.test', undefined]);
  });
});
