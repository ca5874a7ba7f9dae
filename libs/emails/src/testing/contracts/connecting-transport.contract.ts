import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import type { ConnectingTransport, TransportPlace } from '../../emails/ports/email-transport.js';
import { checkAll, type KnownEnvelope, messageTo } from './check-outcomes.js';
import type { ContractCase, Make } from './contract-case.js';

/** How long a place is waited for. Milliseconds; nobody else waits for one. */
const PATIENCE = 30_000;

/** What `EmailsModule` relies on when a transport grants places, besides `emailTransportContract`. */
export function connectingTransportContract(make: Make<ConnectingTransport>, envelope: KnownEnvelope): ContractCase[] {
  return [
    {
      name: 'grants a place that takes a message',
      run: async () => {
        const transport = await make();
        const place = await taken(transport);
        try {
          const first = await place.send(messageTo(envelope, 'at a place'));
          if (first === 'stale') await place.reopen();
          const told = first === 'stale' ? await place.send(messageTo(envelope, 'at a new place')) : first;
          checkAll(told, envelope, 'accepted');
        } finally {
          place.release();
          await transport.close();
        }
      },
    },
    {
      name: 'grants a place again that was given back, used or not',
      run: async () => {
        const transport = await make();
        for (let time = 0; time < 100; time++) (await taken(transport)).release();
        await transport.close();
      },
    },
    {
      name: 'waits for places that are taken when it is closed, and grants none any more',
      run: async () => {
        const transport = await make();
        const place = await taken(transport);
        let isClosed = false;
        const closing = transport.close().then(() => {
          isClosed = true;
        });
        assert.equal(await transport.takePlace(1), undefined, 'A transport that is being closed must grant no place.');
        await turn();
        assert.equal(isClosed, false, 'The transport was closed while a place was taken.');
        place.release();
        await closing;
        assert.equal(await transport.takePlace(1), undefined, 'A transport that is closed must grant no place.');
      },
    },
  ];
}

async function taken(transport: ConnectingTransport): Promise<TransportPlace> {
  const place = await transport.takePlace(PATIENCE);
  assert.ok(place, 'There must be a place while nobody else wants one.');
  return place;
}
