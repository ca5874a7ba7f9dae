import { autoReply } from './auto-reply.js';
import { deliveryStatus } from './delivery-status.js';
import { dispositionNotification } from './disposition-notification.js';
import { feedbackReport } from './feedback-report.js';
import { junkReport } from './junk-report.js';
import { prose } from './prose.js';
import type { Recogniser } from './recogniser.js';
import { unsubscribeMessage } from './unsubscribe-message.js';

/** Every dialect. The first one that recognises a message counts. */
export const RECOGNISERS: readonly Recogniser[] = [
  deliveryStatus,
  feedbackReport,
  junkReport,
  dispositionNotification,
  unsubscribeMessage,
  autoReply,
  prose,
];
