import type { Threat } from '../guard.js';

const THREAD = 'signature-thread.ts';
const THREAD_TESTS = 'signature-thread.spec.ts';

export const inboxSignatures: Threat = {
  title: 'Messages that the inbox verifies',
  guards: [
    {
      guard: 'messages that take for ever to be verified',
      suite: THREAD_TESTS,
      test: 'gives up a message that %s, and continues',
      edits: [[THREAD, 'this.timer = setTimeout(fail, this.patience);', '']],
    },
    {
      guard: 'a thread that ends before its answer',
      suite: THREAD_TESTS,
      test: 'gives up a message that %s, and continues',
      edits: [[THREAD, ".on('exit', fail)", '']],
    },
    {
      guard: 'output about a message',
      suite: THREAD_TESTS,
      test: 'prints nothing',
      edits: [[THREAD, 'stdout: true, ', '']],
    },
    {
      guard: 'text that was added after a signature of a part of the body',
      suite: 'check-signatures.spec.ts',
      test: 'counts a signature of a part of the body as none',
      edits: [['check-signatures.ts', "status.result === 'pass' && Boolean(status.underSized)", 'false']],
    },
    {
      guard: 'results without end',
      suite: 'inbox-signatures.spec.ts',
      test: 'remembers a limited number of results',
      edits: [['signatures/inbox-signatures.ts', 'oldest && this.results.size > REMEMBERED', 'oldest && false']],
    },
    {
      guard: 'a key of development that others can read',
      suite: 'development-key-file.spec.ts',
      test: 'generates a key that only its user can read, and returns it from then on',
      edits: [['development-key-file.ts', "'wx', 0o600", "'wx', 0o644"]],
    },
    {
      guard: 'a key in the message of an error',
      suite: 'development-key-file.spec.ts',
      test: 'stops the start for a file with %s, and neither changes nor quotes it',
      edits: [['development-key-file.ts', 'does not hold an RSA', '${pem} does not hold an RSA']],
    },
  ],
};
