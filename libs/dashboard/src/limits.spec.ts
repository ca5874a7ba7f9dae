import { PAGE_LIMITS } from './limits.js';

describe('PAGE_LIMITS', () => {
  it('has 120 MB for frames, as `heapShare` of `nestjs-emails` expects', () => {
    const { frames, images, forms } = PAGE_LIMITS;
    expect(frames.max + images.max + forms.max).toBe(120_000_000);
  });
});
