import type { Limits } from '../shared/limits.js';

/** Limits of templates, in addition to those shared with emails. */
export const TEMPLATE_LIMITS = {
  name: { of: 'the name of a template', max: 255, unit: 'characters' },
  alias: { of: 'the alias of a template', max: 255, unit: 'characters' },
} satisfies Limits;
