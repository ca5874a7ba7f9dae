import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { emailLists } from './large-answers.js';
import { limitStandstill, sendStream } from './send-stream.js';

/** Memory of a file: the page that is read, its text, and what the connection has not accepted yet. Bytes. */
const IN_TRANSFER = 2_000_000;

interface CsvFile {
  /** Its name, such as `emails.csv`. */
  name: string;
  accountId: string;
  /** Reads the first page. The next is read when the previous piece was taken. */
  open: () => AsyncIterable<string> | Promise<AsyncIterable<string>>;
}

/** Answers with a CSV file, read at the speed of the client; a HEAD with its headers. */
export async function sendCsv(
  { name, accountId, open }: CsvFile,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  const setHeaders = () => {
    response.setHeader('content-type', 'text/csv; charset=utf-8; header=present');
    response.setHeader('content-disposition', `attachment; filename="${name}"`);
  };
  if (request.method === 'HEAD') {
    setHeaders();
    response.end();
    return;
  }
  limitStandstill(response);
  await emailLists.makeRoom(IN_TRANSFER, accountId, response);
  const pieces = await open();
  setHeaders();
  await sendStream(Readable.from(pieces), response);
}
