/**
 * `node --import`: appends the steps of all deliveries of this process to the file DELIVERY_TRACE, a line of JSON for each. Times
 * are milliseconds of one clock for all processes of a machine.
 */
import { subscribe } from 'node:diagnostics_channel';
import { openSync, writeSync } from 'node:fs';

const file = openSync(process.env.DELIVERY_TRACE, 'a');

// Written before the process goes on: it may be killed at any time.
subscribe('nestjs-emails:delivery', ({ from, ...step }) => {
  const at = performance.timeOrigin + performance.now();
  const since = from === undefined ? at : performance.timeOrigin + from;
  writeSync(file, `${JSON.stringify({ process: process.pid, since, at, ...step })}\n`);
});
