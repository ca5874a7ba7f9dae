import type { HtmlUse } from '../../../../src/inbox/html-support';
import { TEXTS } from './texts';

/** Features of the html that common mail programs do not support. */
export function Support({ uses }: { uses: readonly HtmlUse[] }) {
  return (
    <div className="stack">
      <p>{TEXTS.supportLead}</p>
      <table>
        <caption className="only-read">{TEXTS.support}</caption>
        <thead>
          <tr>
            <th scope="col">{TEXTS.supportFeature}</th>
            <th scope="col">{TEXTS.supportUses}</th>
            <th scope="col">{TEXTS.supportMissing}</th>
          </tr>
        </thead>
        <tbody>
          {uses.map((use) => (
            <tr key={use.feature}>
              <td>{TEXTS.featureOf(use)}</td>
              <td>{use.count}</td>
              <td>{TEXTS.missingIn(use)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
