import { parentPort } from 'node:worker_threads';

/** Message of a thread's program: an empty one when it is loaded, then the answer to each task. */
export interface ThreadMessage<Result> {
  result?: Result;
  /** Set if the task failed. */
  error?: string;
}

/** Does the tasks of a `WorkThread`. Its program calls this once. */
export function doTasks<Task, Result>(work: (task: Task) => Result | Promise<Result>): void {
  parentPort?.on('message', async (task: Task) => {
    try {
      post({ result: await work(task) });
    } catch (error) {
      post({ error: String(error) });
    }
  });
  post({});
}

function post(message: ThreadMessage<unknown>): void {
  parentPort?.postMessage(message);
}
