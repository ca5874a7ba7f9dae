/** Nodemailer's pool alone: the same messages, to the same sink, and nothing else. */
import nodemailer from 'nodemailer';
import { reply } from '../support/child.js';
import { smallEmail } from '../support/message.js';
import { CONCURRENCY, POOL } from './pool-options.js';

const transport = nodemailer.createTransport({ ...POOL, host: '127.0.0.1', port: Number(process.env.SMTP_PORT) });

process.on('message', async (count: number) => {
  let started = 0;
  const send = async () => {
    while (started < count) {
      const { from, to, subject, html, text } = smallEmail(started++ % 100);
      await transport.sendMail({ from, to, subject, html, text });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, send));
  reply({});
});
process.once('SIGTERM', () => {
  transport.close();
  process.exit(0);
});
reply({});
