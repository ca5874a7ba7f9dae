import assert from 'node:assert/strict';
import type { EmailTransport } from '../../emails/ports/email-transport.js';
import { checkAll, checkOutcomes, type KnownEnvelope, largeMessageTo, messageTo } from './check-outcomes.js';
import type { ContractCase, Make } from './contract-case.js';

/** A next hop that is there, and what it takes. */
export interface EmailTransportExamples extends KnownEnvelope {
  /** Makes a transport whose next hop cannot be reached. Default: such are not checked. */
  makeUnreachable?: Make<EmailTransport>;
}

/** What `EmailsModule` relies on when it hands messages to a transport. Sends some twenty to the example's recipients. */
export function emailTransportContract(
  make: Make<EmailTransport>,
  { makeUnreachable, ...envelope }: EmailTransportExamples,
): ContractCase[] {
  const cases: ContractCase[] = [
    {
      name: 'says whether the next hop is the last one',
      run: () =>
        open(make, async ({ hop }) => assert.ok(hop === 'final' || hop === 'relay', '`hop` must be final or relay.')),
    },
    {
      name: 'says what became of each recipient',
      run: () =>
        open(make, async (transport) =>
          checkAll(await transport.send(messageTo(envelope, 'one')), envelope, 'accepted'),
        ),
    },
    {
      name: 'sends a large message, which it opens',
      run: () =>
        open(make, async (transport) => {
          let times = 0;
          const { raw, ...message } = largeMessageTo(envelope);
          const counted = () => {
            times += 1;
            return raw();
          };
          checkAll(await transport.send({ ...message, raw: counted }), envelope, 'accepted');
          assert.ok(times > 0, 'The message was not opened.');
        }),
    },
    {
      name: 'sends many messages at the same time',
      run: () =>
        open(make, async (transport) => {
          const subjects = Array.from({ length: 10 }, (_, index) => `message ${index}`);
          const told = await Promise.all(subjects.map((subject) => transport.send(messageTo(envelope, subject))));
          for (const outcomes of told) checkAll(outcomes, envelope, 'accepted');
        }),
    },
    {
      name: 'says of no recipient that it got a message that cannot be read to its end',
      run: () =>
        open(make, async (transport) => {
          const told = await transport.send(largeMessageTo(envelope, true)).catch(() => undefined);
          if (told) expectNoneAccepted(told, envelope, 'a message that broke off');
        }),
    },
    {
      name: 'finds the next hop',
      run: () => open(make, (transport) => transport.verify()),
    },
    {
      name: 'sends nothing once it is closed',
      run: async () => {
        const transport = await make();
        await transport.close();
        const told = await transport.send(messageTo(envelope, 'too late')).catch(() => undefined);
        if (told) expectNoneAccepted(told, envelope, 'a message after the end');
      },
    },
  ];
  if (makeUnreachable === undefined) return cases;
  return [
    ...cases,
    {
      name: 'puts everybody off while the next hop is away, and says so when it is asked',
      run: () =>
        open(makeUnreachable, async (transport) => {
          checkAll(await transport.send(messageTo(envelope, 'away')), envelope, 'deferred');
          await assert.rejects(transport.verify(), '`verify` must reject while the next hop is away.');
        }),
    },
  ];
}

async function open(make: Make<EmailTransport>, work: (transport: EmailTransport) => Promise<void>): Promise<void> {
  const transport = await make();
  try {
    await work(transport);
  } finally {
    await transport.close();
  }
}

function expectNoneAccepted(told: unknown, envelope: KnownEnvelope, what: string): void {
  for (const { address, outcome } of checkOutcomes(told, envelope)) {
    assert.notEqual(outcome, 'accepted', `${address} cannot have got ${what}.`);
  }
}
