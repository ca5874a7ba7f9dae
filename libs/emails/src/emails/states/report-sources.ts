/** Sources of later reports: a delivery report by mail, a complaint by mail, a hook of a relay, an unsubscribe link or mail. */
export const REPORT_SOURCES = ['dsn', 'feedback', 'relay', 'unsubscribe'] as const;

/** The source of a report. */
export type ReportSource = (typeof REPORT_SOURCES)[number];
