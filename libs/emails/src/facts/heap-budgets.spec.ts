import { BUDGETS } from '../shared/work/heap-share.js';
import { EMAIL_LIMITS, FEEDBACK_LIMITS, LIMITS } from './index.js';

describe('Budgets of the heap', () => {
  it('are the sums of the limits of memory', () => {
    const { mediumBodies, largeBodies, emailLists, emailSources, resourceLists, otherAnswers } = LIMITS;
    expect(BUDGETS).toMatchObject({
      bodies: mediumBodies.max + largeBodies.max,
      reports: FEEDBACK_LIMITS.hookBodies.max + FEEDBACK_LIMITS.hookBody.max,
      rendered: EMAIL_LIMITS.fromTemplates.max + EMAIL_LIMITS.fromSmallTemplates.max,
      answers: emailLists.max + emailSources.max + resourceLists.max + otherAnswers.max,
    });
  });
});
