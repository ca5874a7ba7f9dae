import type { Threat } from '../guard.js';

const TRACES = 'lease-traces.once.e2e-spec.ts';
const END = 'close.sql.ts';

/** The test of each checks the steps of real workers against the model of the lease. */
export const leases: Threat = {
  title: 'Two workers that send the same email, or one that loses it',
  guards: [
    {
      guard: 'an attempt under a lease that another worker has by now',
      suite: TRACES,
      test: 'when a worker is stopped between its lease and its attempt, and goes on while another one sends',
      edits: [
        [
          'deliver/delivery.sql.ts',
          'SELECT d.email_id, d.fence, held.message, held.transport',
          'SELECT d.email_id, held.fence, held.message, held.transport',
        ],
        [
          'deliver/delivery.sql.ts',
          'AS held(id, fence, message, transport)\n    ON d.email_id = held.id AND d.fence = held.fence',
          'AS held(id, fence, message, transport)\n    ON d.email_id = held.id',
        ],
      ],
    },
    {
      guard: 'the recorded end of a lease that another worker has by now',
      suite: TRACES,
      test: 'when a worker is stopped on the wire, and gets its answer while another one sends',
      edits: [
        [
          END,
          'JOIN nestjs_emails.deliveries d ON d.email_id = input.id AND d.fence = input.fence',
          'JOIN nestjs_emails.deliveries d ON d.email_id = input.id',
        ],
        [END, 'JOIN input ON d.email_id = input.id AND d.fence = input.fence', 'JOIN input ON d.email_id = input.id'],
      ],
    },
    {
      guard: 'a lease that runs out while its worker waits for an answer',
      suite: TRACES,
      test: 'while a relay answers after three leases',
      edits: [['lease-renewal.ts', 'setInterval(() => void this.renewAll(),', 'setInterval(() => {},']],
    },
    {
      guard: 'mail that is sent before its attempt is written',
      suite: TRACES,
      test: 'when a worker is killed on the wire',
      edits: [['run-attempt.ts', ': this.writes.add(attempt);', ': Promise.resolve(performance.now());']],
    },
    {
      guard: 'mail whose attempt was withdrawn',
      suite: 'busy-connections.e2e-spec.ts',
      test: 'has an attempt again when it is sent, if it waited longer than its attempt held',
      edits: [
        [
          'run-attempt.ts',
          'this.isWritten = !(await this.writes.withdraw(attempt))',
          'await this.writes.withdraw(attempt)',
        ],
        [
          'deliver/delivery.sql.ts',
          'FROM ready JOIN nestjs_emails.attempts a USING (email_id, fence, message) WHERE a.finished_at IS NULL',
          'FROM ready',
        ],
      ],
    },
    {
      guard: 'mail that moves to another relay after the content was refused',
      suite: TRACES,
      test: 'when the first relay refuses for a time after DATA',
      edits: [['without-verdict.ts', "['connect', 'helo', 'mail']", "['connect', 'helo', 'mail', 'dot']"]],
    },
  ],
};
