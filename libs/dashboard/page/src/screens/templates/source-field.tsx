import { CircleAlert, Info } from 'lucide-react';
import { useId, useMemo, useRef, useState } from 'react';
import type { Fault } from './template-text';
import { TEXTS } from './texts';

interface SourceFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Errors and warnings, with their lines. */
  faults: readonly Fault[];
  notices: readonly Fault[];
  placeholder: string;
  isReadOnly: boolean;
}

/** Height of a line in the css. Pixels. */
const LINE = 20;
/** Limit of listed faults and notices. */
const MAX_LISTED = 20;

/** Source text with numbered lines, and a list of its problems with links to the lines. */
export function SourceField({ label, value, onChange, faults, notices, placeholder, isReadOnly }: SourceFieldProps) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [scrolled, setScrolled] = useState(0);
  const count = useMemo(() => value.split('\n').length, [value]);
  const numbers = useMemo(() => Array.from({ length: count }, (_, at) => at + 1).join('\n'), [count]);
  const showLine = (line: number) => {
    const { current } = area;
    if (!current) return;
    const [from, to] = lineAt(value, line);
    current.focus();
    current.setSelectionRange(from, to);
    current.scrollTop = Math.max(0, (line - 4) * LINE);
  };
  return (
    <div className="source-field">
      <label htmlFor={id} className="only-read">
        {label}
      </label>
      <div className="template-source">
        <div className="gutter" aria-hidden="true">
          <div style={{ transform: `translateY(${-scrolled}px)` }}>
            {notices.slice(0, MAX_LISTED).map(({ line }) => (
              <span key={line} className="mark notice" style={{ top: (line - 1) * LINE }} />
            ))}
            {faults.slice(0, MAX_LISTED).map(({ line }) => (
              <span key={line} className="mark fault" style={{ top: (line - 1) * LINE }} />
            ))}
            <pre>{numbers}</pre>
          </div>
        </div>
        <textarea
          ref={area}
          id={id}
          value={value}
          wrap="off"
          spellCheck={false}
          autoCapitalize="off"
          placeholder={placeholder}
          readOnly={isReadOnly}
          aria-invalid={faults.length > 0}
          aria-describedby={`${id}-faults`}
          onChange={({ target }) => onChange(target.value)}
          onScroll={({ currentTarget }) => setScrolled(currentTarget.scrollTop)}
        />
      </div>
      <ul id={`${id}-faults`} className="template-faults">
        <Findings findings={faults} kind="fault" onChoose={showLine} />
        <Findings findings={notices} kind="notice" onChoose={showLine} />
      </ul>
    </div>
  );
}

interface FindingsProps {
  findings: readonly Fault[];
  kind: 'fault' | 'notice';
  onChoose: (line: number) => void;
}

function Findings({ findings, kind, onChoose }: FindingsProps) {
  const Icon = kind === 'fault' ? CircleAlert : Info;
  return findings.slice(0, MAX_LISTED).map(({ line, message }) => (
    <li key={`${line} ${message}`} className={kind}>
      <button type="button" className="quiet" onClick={() => onChoose(line)}>
        <Icon className="icon" size={14} aria-hidden="true" /> {TEXTS.line(line)}
      </button>
      <span>{message}</span>
    </li>
  ));
}

function lineAt(text: string, line: number): [number, number] {
  let from = 0;
  for (let at = 1; at < line; at += 1) from = text.indexOf('\n', from) + 1;
  const end = text.indexOf('\n', from);
  return [from, end < 0 ? text.length : end];
}
