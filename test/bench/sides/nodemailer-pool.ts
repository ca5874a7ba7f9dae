/** Nodemailer's pool alone: the same messages, to the same sink, and nothing else. */
import nodemailer from 'nodemailer';
import { reply } from '../support/child.js';
import { LARGE_ATTACHMENT, type Shape, smallEmail } from '../support/message.js';
import { CONCURRENCY, POOL } from './pool-options.js';

export interface PoolLoad {
  count: number;
  shape?: Shape;
}

/** The same fields as ours; it signs those that are there. */
const dkim = process.env.DKIM_KEY && {
  domainName: 'shop.example',
  keySelector: 'bench',
  privateKey: process.env.DKIM_KEY,
  headerFieldNames: 'from:to:subject:date:message-id:mime-version:content-type:content-transfer-encoding',
};

const transport = nodemailer.createTransport({
  ...POOL,
  host: '127.0.0.1',
  port: Number(process.env.SMTP_PORT),
  ...(dkim && { dkim }),
});

process.on('message', async ({ count, shape = {} }: PoolLoad) => {
  const attachments = shape.large ? [LARGE_ATTACHMENT] : [];
  let started = 0;
  const send = async () => {
    while (started < count) {
      const { from, to, subject, html, text } = smallEmail(started++ % (shape.domains ?? 100), shape);
      await transport.sendMail({ from, to, subject, html, text, attachments });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, send));
});
process.once('SIGTERM', () => {
  transport.close();
  process.exit(0);
});
reply({});
