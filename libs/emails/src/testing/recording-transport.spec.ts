import { Readable } from 'node:stream';
import { RecordingTransport } from './recording-transport.js';

const MESSAGE = { from: 'a@from.test', recipients: ['x@to.test', 'y@to.test'], needsSmtpUtf8: false };

describe('RecordingTransport', () => {
  it('keeps messages, large ones included, and accepts them', async () => {
    const transport = new RecordingTransport();
    const outcomes = await transport.send({ ...MESSAGE, raw: () => Readable.from(['Subject: a\r\n', '\r\nb']) });
    expect(outcomes.map(({ address, outcome }) => [address, outcome])).toEqual([
      ['x@to.test', 'accepted'],
      ['y@to.test', 'accepted'],
    ]);
    expect(transport.to('y@to.test')).toEqual([{ ...MESSAGE, raw: 'Subject: a\r\n\r\nb' }]);
    transport.clear();
    expect(transport.messages).toEqual([]);
  });

  it('keeps the delivery options of a message, and defers one that requires TLS in a test without TLS', async () => {
    const asked = { ...MESSAGE, raw: Buffer.from(''), requireTls: true, dsn: { notify: ['never'] } } as const;
    const secure = new RecordingTransport();
    await secure.send(asked);
    expect(secure.messages).toEqual([{ ...asked, raw: '' }]);
    const clear = new RecordingTransport({ hasTls: false });
    expect((await clear.send(asked)).map(({ outcome }) => outcome)).toEqual(['deferred', 'deferred']);
    expect(clear.messages).toEqual([]);
  });

  it('defers messages after its end', async () => {
    const transport = new RecordingTransport();
    await transport.close();
    const outcomes = await transport.send({ ...MESSAGE, raw: Buffer.from('') });
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['deferred', 'deferred']);
    expect(transport.messages).toEqual([]);
  });

  it('returns the outcomes that a test sets', async () => {
    const transport = new RecordingTransport({ outcome: (address) => (address[0] === 'x' ? 'rejected' : 'deferred') });
    const outcomes = await transport.send({ ...MESSAGE, raw: Buffer.from('') });
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['rejected', 'deferred']);
  });
});
