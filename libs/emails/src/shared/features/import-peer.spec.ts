import { importPeer } from './import-peer.js';

describe('importPeer', () => {
  it('names the package that is missing, and the option that needs it', async () => {
    const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
    await expect(importPeer('mailauth', 'Feature feedback: `listener`', () => Promise.reject(missing))).rejects.toThrow(
      'Feature feedback: `listener` needs the package `mailauth`.',
    );
  });

  it('passes other errors on', async () => {
    const broken = new SyntaxError('Unexpected token');
    await expect(importPeer('mailauth', 'Feature feedback: `listener`', () => Promise.reject(broken))).rejects.toBe(
      broken,
    );
    expect(await importPeer('mailauth', 'Feature feedback: `listener`', async () => 1)).toBe(1);
  });
});
