/** Of nodemailer's pool: the connections and the messages on each are the defaults of our transport. */
export const POOL = { pool: true, maxConnections: 20, maxMessages: 100 } as const;
