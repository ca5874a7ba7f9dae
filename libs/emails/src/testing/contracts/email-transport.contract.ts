import assert from 'node:assert/strict';
import type { EmailTransport } from '../../emails/ports/email-transport.js';
import { checkAll, checkOutcomes, type KnownEnvelope, largeMessageTo, messageTo } from './check-outcomes.js';
import type { ContractCase, Make } from './contract-case.js';

/** A reachable next hop, and messages that it accepts. */
export interface EmailTransportExamples extends KnownEnvelope {
  /**
   * True if the next hop is reached with TLS. Default: unknown, and either outcome of a message that requires TLS is
   * right.
   */
  hasTls?: boolean;
  /** Makes a transport whose next hop cannot be reached. Default: that case is not checked. */
  makeUnreachable?: Make<EmailTransport>;
}

/**
 * Checks the promises that `EmailsModule` relies on when it hands messages to a transport. Sends some twenty messages
 * to the example's recipients.
 *
 * @example
 * ```ts
 * declare const makeTransport: () => EmailTransport;
 * const envelope = { from: 'hi@shop.example', recipients: ['jane@example.com'] };
 * for (const { name, run } of emailTransportContract(makeTransport, envelope)) test(name, run);
 * ```
 */
export function emailTransportContract(
  make: Make<EmailTransport>,
  { makeUnreachable, hasTls, ...envelope }: EmailTransportExamples,
): ContractCase[] {
  const cases: ContractCase[] = [
    {
      name: 'says whether the next hop is the last one',
      run: () =>
        open(make, async ({ hop }) => assert.ok(hop === 'final' || hop === 'relay', '`hop` must be final or relay.')),
    },
    {
      name: 'reports an outcome for each recipient',
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
          const all = await Promise.all(subjects.map((subject) => transport.send(messageTo(envelope, subject))));
          for (const outcomes of all) checkAll(outcomes, envelope, 'accepted');
        }),
    },
    {
      name: 'reports no recipient as accepted for a message that cannot be read to its end',
      run: () =>
        open(make, async (transport) => {
          const outcomes = await transport.send(largeMessageTo(envelope, true)).catch(() => undefined);
          if (outcomes) expectNoneAccepted(outcomes, envelope, 'a message that broke off');
        }),
    },
    {
      name: 'sends a message that requires TLS only with TLS, and defers it without',
      run: () =>
        open(make, async (transport) => {
          const outcomes = await transport.send({ ...messageTo(envelope, 'secret'), requireTls: true });
          const [first] = checkOutcomes(outcomes, envelope);
          const isSent = hasTls ?? first?.outcome === 'accepted';
          checkAll(outcomes, envelope, isSent ? 'accepted' : 'deferred');
        }),
    },
    {
      name: 'sends a message of which TLS is enforced only with TLS, and refuses it without',
      run: () =>
        open(make, async (transport) => {
          const outcomes = await transport.send({ ...messageTo(envelope, 'enforced'), requireTls: 'enforced' });
          const [first] = checkOutcomes(outcomes, envelope);
          const isSent = hasTls ?? first?.outcome === 'accepted';
          checkAll(outcomes, envelope, isSent ? 'accepted' : 'rejected');
        }),
    },
    {
      name: 'sends a message that requests reports, whether the next hop supports them or not',
      run: () =>
        open(make, async (transport) => {
          const dsn = { ret: 'headers', envelopeId: 'contract', notify: ['failure', 'delay'] } as const;
          checkAll(await transport.send({ ...messageTo(envelope, 'reported'), dsn }), envelope, 'accepted');
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
        const outcomes = await transport.send(messageTo(envelope, 'too late')).catch(() => undefined);
        if (outcomes) expectNoneAccepted(outcomes, envelope, 'a message after the end');
      },
    },
  ];
  if (makeUnreachable === undefined) return cases;
  return [
    ...cases,
    {
      name: 'defers all recipients while the next hop is away, and fails its verification',
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

function expectNoneAccepted(outcomes: unknown, envelope: KnownEnvelope, what: string): void {
  for (const { address, outcome } of checkOutcomes(outcomes, envelope)) {
    assert.notEqual(outcome, 'accepted', `${address} cannot have got ${what}.`);
  }
}
