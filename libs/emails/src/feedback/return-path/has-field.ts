import type { StagedMessage } from '../../index.js';

/** True if the header of a message has a field of this name, in any letter case. */
export async function hasField(raw: StagedMessage['raw'], name: string): Promise<boolean> {
  const start = `${name.toLowerCase()}:`;
  return (await headerOf(raw)).split('\r\n').some((line) => line.toLowerCase().startsWith(start));
}

/** Up to the first empty line (RFC 5322 section 2.1). A large message is read no further. */
async function headerOf(raw: StagedMessage['raw']): Promise<string> {
  if (Buffer.isBuffer(raw)) return cut(raw.toString('latin1'));
  let header = '';
  for await (const piece of raw()) {
    header += (piece as Buffer).toString('latin1');
    if (header.includes(END)) break;
  }
  return cut(header);
}

const END = '\r\n\r\n';

function cut(message: string): string {
  const end = message.indexOf(END);
  return end === -1 ? message : message.slice(0, end);
}
