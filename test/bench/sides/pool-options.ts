/** Of nodemailer's pool: the connections and the messages on each are the defaults of our transport. */
export const POOL = { pool: true, maxConnections: 20, maxMessages: 100 } as const;

/** Emails under way at the same time: as many as a worker of ours has. */
export const CONCURRENCY = 200;
