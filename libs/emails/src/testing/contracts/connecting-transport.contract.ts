import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import type { ConnectingTransport, TransportSlot } from '../../emails/ports/email-transport.js';
import { checkAll, type KnownEnvelope, messageTo } from './check-outcomes.js';
import type { ContractCase, Make } from './contract-case.js';

/** Timeout of a wait for a slot. Milliseconds. Nothing else competes for slots. */
const PATIENCE = 30_000;

/**
 * Checks the promises that `EmailsModule` relies on when a transport grants slots, in addition to
 * `emailTransportContract`.
 *
 * @example
 * ```ts
 * const make = () => new SmtpTransport({ url: 'smtp://localhost:2525' });
 * const envelope = { from: 'hi@shop.example', recipients: ['jane@example.com'] };
 * for (const { name, run } of connectingTransportContract(make, envelope)) test(name, run);
 * ```
 */
export function connectingTransportContract(make: Make<ConnectingTransport>, envelope: KnownEnvelope): ContractCase[] {
  return [
    {
      name: 'grants a slot that sends a message',
      run: async () => {
        const transport = await make();
        const place = await taken(transport);
        try {
          const first = await place.send(messageTo(envelope, 'on a slot'));
          if (first === 'stale') await place.reopen();
          const told = first === 'stale' ? await place.send(messageTo(envelope, 'on a new slot')) : first;
          checkAll(told, envelope, 'accepted');
        } finally {
          place.release();
          await transport.close();
        }
      },
    },
    {
      name: 'grants a released slot again, used or not',
      run: async () => {
        const transport = await make();
        for (let time = 0; time < 100; time++) (await taken(transport)).release();
        await transport.close();
      },
    },
    {
      name: 'waits for acquired slots when it is closed, and grants no more',
      run: async () => {
        const transport = await make();
        const place = await taken(transport);
        let isClosed = false;
        const closing = transport.close().then(() => {
          isClosed = true;
        });
        assert.equal(await transport.acquireSlot(1), undefined, 'A closing transport must grant no slot.');
        await turn();
        assert.equal(isClosed, false, 'The transport was closed while a slot was acquired.');
        place.release();
        await closing;
        assert.equal(await transport.acquireSlot(1), undefined, 'A closed transport must grant no slot.');
      },
    },
  ];
}

async function taken(transport: ConnectingTransport): Promise<TransportSlot> {
  const place = await transport.acquireSlot(PATIENCE);
  assert.ok(place, 'A slot must be free while no one else wants one.');
  return place;
}
