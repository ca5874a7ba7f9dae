import { passes, ruleDecorator } from '../../shared/validation/rule.js';
import { SUPPRESSION_ORIGINS } from './suppression-origin.js';

const isOrigin = (value: unknown) => SUPPRESSION_ORIGINS.some((origin) => origin === value);

/** One of the origins. */
export const IsSuppressionOrigin = () =>
  ruleDecorator('isSuppressionOrigin', passes(isOrigin, `must be one of: ${SUPPRESSION_ORIGINS.join(', ')}`), {
    enum: [...SUPPRESSION_ORIGINS],
  });
