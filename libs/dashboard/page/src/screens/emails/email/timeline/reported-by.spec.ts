import { REPORT_SOURCES } from 'nestjs-emails/facts';
import { reportedBy } from './reported-by';

describe('the source of a later report', () => {
  it.each(REPORT_SOURCES)('has words for %s', (source) => {
    expect(reportedBy({ source })).toMatch(/^(Reported later by|By) .*\.$/);
  });

  it.each(['api', 'smtp', 'suppression', 'policy', 'topic', 'constructor'])('is none for %s', (source) => {
    expect(reportedBy({ source })).toBeUndefined();
  });
});
