const UNKNOWN = '550 5.1.1 The email account that you tried to reach does not exist';

/** Addresses that the shop's mail server answers in a special way. Each bounces once: then it is suppressed. */
export const REPLIES: Readonly<Record<string, string>> = {
  'ida.berg@example.org': UNKNOWN,
  'accounts@globex.example': UNKNOWN,
  'lukas.meyer@example.org': UNKNOWN,
  'greta.lind@example.net': '452 4.2.2 The recipient’s mailbox is full. Try again later',
};

/** An email of the shop, as `POST /emails` takes it. */
export interface ShopEmail {
  from: string;
  to: string | string[];
  subject: string;
  html: string;
  text?: string;
  scheduled_at?: string;
  tags?: { name: string; value: string }[];
  attachments?: { filename: string; content: string }[];
}

const HELLO = 'Northwind <hello@northwind.example>';
const BILLING = 'Northwind Billing <billing@northwind.example>';
const SECURITY = 'Northwind Accounts <accounts@northwind.example>';

const page = (title: string, text: string, button: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>
<body style="margin:0;background:#f4f5f7;font-family:Helvetica,Arial,sans-serif;color:#1f2430">
<div style="max-width:560px;margin:0 auto;padding:32px 16px">
<p style="font-weight:700;font-size:18px;margin:0 0 16px">Northwind</p>
<div style="background:#fff;border-radius:8px;padding:32px">
<h1 style="font-size:22px;margin:0 0 12px">${title}</h1>
<p style="line-height:1.6;margin:0 0 24px">${text}</p>
<a href="https://northwind.example/orders" style="background:#2f5bea;color:#fff;padding:12px 20px;border-radius:6px;text-decoration:none">${button}</a>
</div>
<p style="color:#5b6472;font-size:12px;margin:16px 0 0">Northwind, 12 Harbour Street, Hamburg</p>
</div></body></html>`;

const email = (from: string, to: string | string[], subject: string, text: string, button: string): ShopEmail => ({
  from,
  to,
  subject,
  html: page(subject, text, button),
  text,
});
const shipped = (to: string, order: number) =>
  email(HELLO, to, `Your order ${order} is on its way`, 'It left our warehouse today.', 'Track the parcel');
const receipt = (to: string, order: number) =>
  email(BILLING, to, `Receipt for order ${order}`, 'Thank you. The receipt is attached.', 'View the order');

const pdf = (filename: string) => ({ filename, content: Buffer.from('%PDF-1.4\n').toString('base64') });
const kind = (value: string) => [{ name: 'kind', value }];

/** The emails of a day, from the oldest to the newest. */
export const SHOP_EMAILS: readonly ShopEmail[] = [
  email(HELLO, 'noah.brandt@example.com', 'Welcome to Northwind', 'We are glad that you are here.', 'Open the shop'),
  { ...receipt('sofia.rossi@example.net', 1174), attachments: [pdf('receipt-1174.pdf')], tags: kind('receipt') },
  shipped('sofia.rossi@example.net', 1174),
  email(
    SECURITY,
    'amelie.dubois@example.com',
    'New sign-in from Lyon',
    'Was it you? Then do nothing.',
    'It was not me',
  ),
  { ...receipt('oliver.hansen@example.com', 1175), attachments: [pdf('receipt-1175.pdf')], tags: kind('receipt') },
  email(HELLO, 'ida.berg@example.org', 'Confirm your address', 'One click and you are done.', 'Confirm'),
  shipped('oliver.hansen@example.com', 1175),
  email(
    HELLO,
    'eleni.pappas@example.com',
    'Ευχαριστούμε για την παραγγελία 1179',
    'Ετοιμάζεται για αποστολή.',
    'Προβολή',
  ),
  email(HELLO, 'omar.haddad@example.com', 'تم شحن طلبك رقم 1180', 'غادر طلبك مستودعنا اليوم.', 'تتبع الشحنة'),
  { ...receipt('jane.cooper@example.com', 1182), attachments: [pdf('receipt-1182.pdf')], tags: kind('receipt') },
  email(
    BILLING,
    ['finance@globex.example', 'accounts@globex.example', 'ap@globex.example'],
    'Invoice 2026-1107 is due on 10 December',
    'The invoice is attached.',
    'Pay the invoice',
  ),
  email(SECURITY, 'priya.natarajan@example.com', 'Your code is 418 205', 'It is valid for ten minutes.', 'Sign in'),
  email(HELLO, 'greta.lind@example.net', 'We saved your basket', 'Three things wait for you.', 'Open the basket'),
  shipped('jane.cooper@example.com', 1182),
  {
    ...email(HELLO, 'noah.brandt@example.com', 'How was your first order?', 'Two questions.', 'Answer'),
    scheduled_at: 'in 3 days',
  },
  email(SECURITY, 'lukas.meyer@example.org', 'Reset your password', 'The link is valid for an hour.', 'Reset it'),
  { ...receipt('daniel.okafor@example.com', 1187), attachments: [pdf('receipt-1187.pdf')], tags: kind('receipt') },
  email(HELLO, 'amelie.dubois@example.com', 'Back in stock: the blue kettle', 'You asked us to tell you.', 'Buy it'),
];

/** The subject by which tests open the email in each state. */
export const SUBJECTS = {
  delivered: 'Your order 1182 is on its way',
  bounced: 'Reset your password',
  delayed: 'We saved your basket',
  scheduled: 'How was your first order?',
  several: 'Invoice 2026-1107 is due on 10 December',
} as const;
