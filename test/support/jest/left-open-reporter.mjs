/**
 * Fails the run when jest had to kill a worker after its last test file: a file left a timer, a socket, a server or a
 * child process open. Jest itself only prints that, and passes.
 */
export default class LeftOpenReporter {
  #leftOpen = false;

  onRunStart() {
    const { error } = console;
    console.error = (...words) => {
      if (String(words[0]).includes('failed to exit gracefully')) this.#leftOpen = true;
      error(...words);
    };
  }

  onRunComplete() {
    if (this.#leftOpen)
      console.error('The run has failed: a test file left a handle open, which kept its worker from exiting.');
  }

  /** Jest calls this before it decides whether the run passed. */
  getLastError() {
    return this.#leftOpen ? new Error('A test file left a handle open.') : undefined;
  }
}
