import type { Limits } from 'nestjs-emails/facts';

/** Limits of the page. */
export const PAGE_LIMITS = {
  frames: { of: 'memory for html in frames of the page', max: 60_000_000, unit: 'bytes', beyond: 'waits for room' },
  images: { of: 'memory for images in these frames', max: 40_000_000, unit: 'bytes', beyond: 'waits for room' },
  forms: { of: 'memory for templates that are shown', max: 20_000_000, unit: 'bytes', beyond: 'waits for room' },
  form: { of: 'a template that is shown', max: 4_000_000, unit: 'bytes', beyond: '413' },
  released: { of: 'recipients of a message that leaves the local inbox', max: 50, unit: 'in number' },
  thumbnail: {
    of: 'an image that the local inbox shows in its list of attachments',
    max: 5_000_000,
    unit: 'bytes',
    beyond: '404',
  },
} satisfies Limits;
