import type { BounceReason } from './bounce-reasons.js';
import { OPERATORS } from './operators/index.js';
import type { Operator } from './operators/operator.js';

const BY_HOST: ReadonlyMap<string, Operator> = new Map(
  OPERATORS.flatMap((operator) => operator.hosts.map((host) => [host, operator] as const)),
);
const BY_MAILBOX: ReadonlyMap<string, string> = new Map(
  OPERATORS.flatMap(({ name, mailboxes }) => mailboxes?.domains.map((domain) => [domain, name] as const) ?? []),
);
/** Labels of a domain that are looked at. */
const MAX_LABELS = 10;

/** The name of the operator that runs a host, if it is known. @param host a name, in any letter case */
export function operatorOfHost(host: string | undefined): string | undefined {
  return found(host)?.name;
}

/** The name of the operator whose own mailboxes a domain has, such as `gmail.com`. @param domain in any letter case */
export function operatorOfMailboxes(domain: string): string | undefined {
  return BY_MAILBOX.get(domain.toLowerCase());
}

/** The first operator whose words a reply uses, and what it means by them. The operator of the host is asked first. */
export function operatorWords(said: string, host?: string): { operator: string; meaning: BounceReason } | undefined {
  const own = found(host);
  for (const operator of own ? [own, ...OPERATORS] : OPERATORS) {
    const reply = operator.replies.find(
      ({ pattern, isOnlyAtHost }) => (!isOnlyAtHost || operator === own) && pattern.test(said),
    );
    if (reply) return { operator: operator.name, meaning: reply.meaning };
  }
  return undefined;
}

function found(host: string | undefined): Operator | undefined {
  const labels =
    host
      ?.toLowerCase()
      .replace(/\.$/, '')
      .split('.', MAX_LABELS + 1)
      .slice(-MAX_LABELS) ?? [];
  for (let at = 0; at < labels.length; at++) {
    const operator = BY_HOST.get(labels.slice(at).join('.'));
    if (operator) return operator;
  }
  return undefined;
}
