import type { DeliveryReports } from '../../ports/email-transport.js';

const RET = { full: 'FULL', headers: 'HDRS' } as const;
const NOTIFY = ['never', 'success', 'failure', 'delay'] as const;
const NOTIFY_RULE = '`dsn.notify` must be `never` alone, or some of `success`, `failure`, `delay`, each once.';
/** Limit in characters of xtext (RFC 3461 sections 4.2 and 4.4). */
const LONGEST_ENVID = 100;
const LONGEST_ORCPT = 500;
const PRINTABLE = /^[ -~]+$/;

/** Returns why it cannot be sent as a command parameter (RFC 3461 section 4); undefined when it can. */
export function dsnProblem({ ret, envelopeId, notify }: DeliveryReports): string | undefined {
  if (ret !== undefined && !Object.hasOwn(RET, ret)) return '`dsn.ret` must be `full` or `headers`.';
  if (envelopeId !== undefined && !isEnvelopeId(envelopeId))
    return `\`dsn.envelopeId\` must be printable ASCII, of ${LONGEST_ENVID} characters at most as xtext.`;
  return notify === undefined || isNotify(notify) ? undefined : NOTIFY_RULE;
}

function isEnvelopeId(id: unknown): boolean {
  return typeof id === 'string' && PRINTABLE.test(id) && xtext(id).length <= LONGEST_ENVID;
}

function isNotify(notify: DeliveryReports['notify'] & {}): boolean {
  if (!Array.isArray(notify) || !notify.every((one) => NOTIFY.includes(one))) return false;
  return new Set(notify).size === notify.length && (notify.includes('never') ? notify.length === 1 : notify.length > 0);
}

/** Parameters of MAIL. */
export function dsnOfMail({ ret, envelopeId }: DeliveryReports): string {
  return (ret ? ` RET=${RET[ret]}` : '') + (envelopeId === undefined ? '' : ` ENVID=${xtext(envelopeId)}`);
}

/** Parameters of RCPT. */
export function dsnOfRecipient({ notify }: DeliveryReports, address: string): string {
  const original = PRINTABLE.test(address) ? `rfc822;${xtext(address)}` : `utf-8;${unicodeXtext(address)}`;
  return (
    (notify ? ` NOTIFY=${notify.join(',').toUpperCase()}` : '') +
    (original.length <= LONGEST_ORCPT ? ` ORCPT=${original}` : '')
  );
}

/** Encodes by RFC 3461 section 4. */
function xtext(text: string): string {
  const encoded = (char: string) => `+${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  return text.replace(/[^!-~]|[+=]/g, encoded);
}

/** Encodes by RFC 6533 section 3. */
function unicodeXtext(text: string): string {
  const encoded = (char: string) =>
    `\\x{${(char.codePointAt(0) as number).toString(16).toUpperCase().padStart(2, '0')}}`;
  return text.replace(/[^!-~]|[+=\\]/gu, encoded);
}
