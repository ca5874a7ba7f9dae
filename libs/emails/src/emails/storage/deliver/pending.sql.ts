import type { MovedBy } from '../../states/email-states.js';

export const DELAYED = `'${'delivery_delayed' satisfies MovedBy<'deliver'>}'`;

/** States of recipients that are pending. */
export const PENDING = `('pending', ${DELAYED})`;
