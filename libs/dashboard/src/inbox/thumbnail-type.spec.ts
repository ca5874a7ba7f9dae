import { thumbnailType } from './thumbnail-type.js';

describe('thumbnailType', () => {
  it.each([
    ['image/png', '89504e470d0a1a0a0000000d'],
    ['image/jpeg', 'ffd8ffe000104a46'],
    ['image/gif', '4749463839610100'],
    ['image/gif', '4749463837610100'],
    ['image/webp', '524946462400000057454250'],
  ])('knows %s by its first bytes', (type, hex) => {
    expect(thumbnailType(Buffer.from(hex, 'hex'))).toBe(type);
  });

  it.each(['', '<svg xmlns="http://www.w3.org/2000/svg">', '<html>', 'GIF', '%PDF-1.7', 'RIFF____WAVE'])(
    'shows nothing of %j',
    (text) => {
      expect(thumbnailType(Buffer.from(text))).toBeUndefined();
    },
  );
});
