import { PATIENCE } from '../basics/patience.mjs';
import { within } from '../basics/wait-for.js';
import type { HostProcess } from './host-process.js';

interface Answer<T> {
  id: number;
  value: T;
  /** The properties of the error with which the program failed. */
  error?: object;
}

let asked = 0;

/**
 * Sends a message to a program that was started with `ipc`. It answers with the message's `id` and a `value` or an
 * `error`, with which this rejects. An end without an answer is an error too.
 */
export async function askProgram<T>(program: HostProcess, question: object): Promise<T> {
  const { child } = program;
  const id = ++asked;
  const answered = new Promise<Answer<T>>((resolve) => {
    const take = (answer: Answer<T>) => {
      if (answer.id !== id) return;
      child.off('message', take);
      resolve(answer);
    };
    child.on('message', take);
  });
  const ended = program.exited.then((code) => {
    throw new Error(`The program ended with ${code} instead of answering. It said:\n${program.output}`);
  });
  child.send({ ...question, id });
  const { value, error } = await within(Promise.race([answered, ended]), PATIENCE, 'The answer of a program');
  if (error) throw Object.assign(new Error(), error);
  return value;
}
