import type { Operator } from './operator.js';

/** Every operator whose words are known. Server software comes last, since operators use it too. */
export const OPERATORS: readonly Operator[] = [];
