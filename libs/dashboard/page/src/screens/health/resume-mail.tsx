import type { PausedReport, PauseReport } from '../../../../src/operations/dashboard-operations';
import { FormDialog } from '../../parts/form-dialog';
import { countOf } from '../../parts/numbers';
import { plainName } from '../../parts/plain-name';
import { nameOfPause } from './name-of-pause';
import { TEXTS } from './texts';
import { usePauseChange } from './use-pause-change';

const texts = TEXTS.paused.resume;

interface ResumeMailProps {
  pause: PauseReport;
  /** The mail that would leave; null where that is not counted. */
  mail: PausedReport['mail'];
  onClose: () => void;
}

/** Shows the mail that would leave before a pause ends. */
export function ResumeMail({ pause: { since: _, reason: __, ...target }, mail, onClose }: ResumeMailProps) {
  const resume = usePauseChange({ change: 'resume', done: texts.done, onDone: onClose });
  return (
    <FormDialog
      title={texts.title}
      action={texts.action}
      task={{ ...resume, mutate: () => resume.mutate(target) }}
      failure={texts.failure}
      meaning={texts.meaning}
      onClose={onClose}
    >
      <p>{texts.lead(nameOfPause(target))}</p>
      {mail && <Leaving {...mail} />}
    </FormDialog>
  );
}

function Leaving({ count, accounts }: NonNullable<PausedReport['mail']>) {
  if (count === 0) return <p>{texts.nothing}</p>;
  const others = accounts.reduce((rest, account) => rest - account.count, count);
  return (
    <>
      <p>{texts.would(count)}</p>
      <table className="health-paused">
        <thead>
          <tr>
            <th scope="col">{texts.account}</th>
            <th scope="col">{texts.emails}</th>
          </tr>
        </thead>
        <tbody>
          {accounts.map(({ account, count: emails }) => (
            <tr key={account}>
              <th scope="row">
                <bdi>{plainName(account)}</bdi>
              </th>
              <td>{countOf(emails)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {others > 0 && <p className="soft">{texts.others(others)}</p>}
    </>
  );
}
