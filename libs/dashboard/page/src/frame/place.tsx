import { MailCheck } from 'lucide-react';
import { plainName } from '../parts/plain-name';
import { TEXTS } from './texts';

interface PlaceProps {
  account?: string | null;
  environment?: string | null;
}

/** The product, the account and where its mail goes. */
export function Place({ account = null, environment = null }: PlaceProps) {
  return (
    <div className="place">
      <MailCheck className="icon" size={20} aria-hidden="true" />
      <div>
        <strong>{TEXTS.product}</strong>
        {account !== null && (
          <span className="soft one-line" title={`${TEXTS.account}: ${plainName(account)}`}>
            <bdi>{plainName(account)}</bdi>
          </span>
        )}
        {environment !== null && (
          <span className="soft one-line" title={`${TEXTS.environment}: ${plainName(environment)}`}>
            <bdi>{plainName(environment)}</bdi>
          </span>
        )}
      </div>
    </div>
  );
}
