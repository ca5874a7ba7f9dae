import { useState } from 'react';
import { CopyButton } from './copyable';
import { Tabs } from './tabs';
import './snippet.css';

/** The same task in one language. */
export interface SnippetText {
  /** Its name in the URL and in tests: `curl`. */
  name: string;
  /** Its label: "cURL". */
  title: string;
  text: string;
  /** Start of a text that is too long to be shown. Default: all of it. */
  shown?: string;
}

interface SnippetProps {
  /** The purpose of the code, for assistive technology: "Send an email". */
  label: string;
  /** At least one. */
  texts: readonly SnippetText[];
}

/** Code to paste, in several languages, with a button that copies the one that is shown. */
export function Snippet({ label, texts }: SnippetProps) {
  const [name, setName] = useState(texts[0]?.name ?? '');
  const shown = texts.find((text) => text.name === name) ?? texts[0];
  if (!shown) return null;
  const code = (
    <div className="code">
      <pre>{shown.shown ?? shown.text}</pre>
      <CopyButton value={shown.text} what={`the code for ${shown.title}`} />
    </div>
  );
  return (
    <div className="snippet">
      {texts.length > 1 ? (
        <Tabs label={label} tabs={texts} chosen={shown.name} onChoose={setName}>
          {code}
        </Tabs>
      ) : (
        code
      )}
    </div>
  );
}
