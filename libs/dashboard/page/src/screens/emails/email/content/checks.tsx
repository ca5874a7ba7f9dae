import { useQuery } from '@tanstack/react-query';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { sessionQuery } from '../../../../api/session';
import type { Email } from '../../../../api/types';
import { plainName } from '../../../../parts/plain-name';
import { unsubscribeOffer } from '../../../../parts/unsubscribe-offer';
import { TEXTS } from '../texts';
import { CHECKED, type CheckedLink, GMAIL_LIMIT, type MessageChecks } from './message-checks';
import { senderDomain } from './sender-domain';
import { useSenderDomain } from './use-sender-domain';
import { useHeaders } from './use-source';

const texts = TEXTS.checks;

/** Limit of listed links. */
const LISTED = 200;

interface ChecksProps {
  email: Email;
  checks: MessageChecks;
}

/** Problems that the message may have at its readers. */
export function Checks({ email, checks }: ChecksProps) {
  const { size, isClipped, textPart, images, imagesWithoutAlt, links, badLinks, isCut } = checks;
  return (
    <div className="stack">
      <p className="soft">
        {texts.lead} {isCut && texts.cut(CHECKED)}
      </p>
      <ul className="email-checks">
        <Check title={texts.size} isGood={!isClipped}>
          {isClipped ? texts.sizeBad(size, GMAIL_LIMIT) : texts.sizeGood(size, GMAIL_LIMIT)}
        </Check>
        <Check title={texts.text} isGood={textPart !== 'missing'}>
          {{ own: texts.textOwn, derived: texts.textDerived, missing: texts.textMissing }[textPart]}
        </Check>
        <Check title={texts.images} isGood={imagesWithoutAlt === 0}>
          {imagesSentence(images, imagesWithoutAlt)}
        </Check>
        <Check title={texts.links} isGood={badLinks === 0}>
          {linksSentence(links.length, badLinks)}
        </Check>
        {email.topic_id !== null && <Unsubscribe {...email} />}
        <Signature from={email.from} />
      </ul>
      {links.length > 0 && <Links links={links} />}
    </div>
  );
}

function imagesSentence(count: number, missing: number): string {
  if (count === 0) return texts.noImages;
  return missing === 0 ? texts.imagesGood(count) : texts.imagesBad(missing, count);
}

function linksSentence(count: number, bad: number): string {
  if (count === 0) return texts.noLinks;
  return bad === 0 ? texts.linksGood(count) : texts.linksBad(bad, count);
}

/** Nothing until the headers are known. */
function Unsubscribe({ id, to, cc, bcc }: Email) {
  const { data } = useHeaders(id);
  if (!data) return null;
  const offer = unsubscribeOffer(data);
  const isAlone = to.length + cc.length + bcc.length === 1;
  const sentence = { oneClick: texts.unsubscribeGood, link: texts.unsubscribeLink, none: texts.unsubscribeBad };
  return (
    <Check title={texts.unsubscribe} isGood={offer === 'oneClick'}>
      {offer === 'none' && !isAlone ? texts.unsubscribeSeveral : sentence[offer]}
    </Check>
  );
}

/** The state of the sender's domain, where this host has domains. */
function Signature({ from }: Pick<Email, 'from'>) {
  const domain = senderDomain(from);
  const { data } = useSenderDomain(domain);
  const { data: session } = useQuery(sessionQuery);
  // In development, mail is signed without a domain, and the inbox verifies it.
  if (data === undefined || (data === null && session?.features.inbox)) return null;
  const isSigned = data?.status === 'verified' && data.capabilities.sending === 'enabled';
  const name = plainName(domain);
  return (
    <Check title={texts.signature} isGood={isSigned}>
      {isSigned ? texts.signatureGood(name) : data ? texts.signatureUnverified(name) : texts.signatureNone(name)}
    </Check>
  );
}

function Check({ title, isGood, children }: { title: string; isGood: boolean; children: string }) {
  const Icon = isGood ? CircleCheck : TriangleAlert;
  return (
    <li className={isGood ? 'good' : 'look'}>
      <Icon className="icon" size={16} aria-hidden="true" />
      <div>
        <strong>{title}</strong> <span className="only-read">{isGood ? texts.good : texts.look}</span>
        <p>{children}</p>
      </div>
    </li>
  );
}

/** Targets are text: a click on one of a stranger's would open it. Those with a problem come first. */
function Links({ links }: { links: readonly CheckedLink[] }) {
  const sorted = links.toSorted((a, b) => Number(b.problem !== undefined) - Number(a.problem !== undefined));
  return (
    <>
      <table className="email-links">
        <caption className="only-read">{texts.linkTable}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.linkText}</th>
            <th scope="col">{texts.linkTarget}</th>
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, LISTED).map(({ text, target, problem }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: links may repeat, and the list never changes
            <tr key={at}>
              <td>
                <bdi>{plainName(text) || <span className="soft">{texts.linkEmptyText}</span>}</bdi>
              </td>
              <td>
                <bdi className="mono">{plainName(target) || texts.linkEmptyTarget}</bdi>
                {problem && (
                  <span className="link-problem">
                    <TriangleAlert className="icon" size={13} aria-hidden="true" /> {texts.linkProblems[problem]}
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {links.length > LISTED && <p className="soft">{texts.linksCut(LISTED)}</p>}
    </>
  );
}
