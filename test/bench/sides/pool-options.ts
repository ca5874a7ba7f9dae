/** Options of nodemailer's pool: connections and messages per connection are our transport's defaults. */
export const POOL = { pool: true, maxConnections: 20, maxMessages: 100 } as const;

/** Concurrent emails, as many as in our worker. */
export const CONCURRENCY = 200;
