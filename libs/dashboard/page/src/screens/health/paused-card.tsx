import { useState } from 'react';
import type { OperationsReport, PauseReport } from '../../../../src/operations/dashboard-operations';
import { Card } from '../../parts/card';
import { plainName } from '../../parts/plain-name';
import { ExactTime } from '../../parts/time';
import { useMay } from '../../parts/use-may';
import { nameOfPause } from './name-of-pause';
import { Unknown } from './part';
import { PauseAll } from './pause-all';
import { ResumeMail } from './resume-mail';
import { TEXTS } from './texts';

const texts = TEXTS.paused;

/** Mail that waits, since when and why, with the buttons that begin and end a pause. */
export function PausedCard({ paused }: Pick<OperationsReport, 'paused'>) {
  const mayChange = useMay()('admin');
  const [isPausing, setPausing] = useState(false);
  const [ending, setEnding] = useState<PauseReport>();
  const isAllPaused = paused?.mail != null;
  return (
    <Card
      title={texts.title}
      aside={
        mayChange && paused && !isAllPaused ? (
          <button type="button" onClick={() => setPausing(true)}>
            {texts.pause.action}
          </button>
        ) : undefined
      }
    >
      {paused ? <Pauses paused={paused} onResume={mayChange ? setEnding : undefined} /> : <Unknown />}
      {isPausing && <PauseAll onClose={() => setPausing(false)} />}
      {ending && (
        <ResumeMail
          pause={ending}
          mail={nameOfPause(ending) === texts.names.everything ? (paused?.mail ?? null) : null}
          onClose={() => setEnding(undefined)}
        />
      )}
    </Card>
  );
}

interface PausesProps {
  paused: NonNullable<OperationsReport['paused']>;
  onResume: ((pause: PauseReport) => void) | undefined;
}

function Pauses({ paused: { count, longest }, onResume }: PausesProps) {
  if (count === 0) return <p className="soft">{texts.none}</p>;
  return (
    <>
      <p className="soft">{texts.meaning}</p>
      <ul className="health-pauses">
        {longest.map((pause) => (
          <li key={nameOfPause(pause)}>
            <p>
              <strong>
                <bdi>{nameOfPause(pause)}</bdi>
              </strong>
              , {texts.since} <ExactTime value={pause.since} />: <bdi>{plainName(pause.reason)}</bdi>
            </p>
            {onResume && (
              <button
                type="button"
                aria-label={texts.resume.nameOf(nameOfPause(pause))}
                onClick={() => onResume(pause)}
              >
                {texts.resume.action}
              </button>
            )}
          </li>
        ))}
      </ul>
      {count > longest.length && <p className="soft">{texts.more(count - longest.length)}</p>}
    </>
  );
}
