/** Sources of later reports: a delivery report by mail, a complaint by mail, a hook of a relay. */
export const REPORT_SOURCES = ['dsn', 'feedback', 'relay'] as const;

/** The source of a report. */
export type ReportSource = (typeof REPORT_SOURCES)[number];
