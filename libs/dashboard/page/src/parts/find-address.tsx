import type { FormEvent } from 'react';
import { useLocation } from 'wouter';
import { queryOf } from '../api/client';
import './find-address.css';

interface FindAddressProps {
  /** Path of the screen. The row that was found is below it. */
  path: string;
  /** Text of the search, in the address bar as `find`. */
  wanted: string;
  texts: { label: string; placeholder: string; action: string };
  /** Finds a row by a whole address. */
  find: (text: string) => Promise<{ id: string } | null | undefined>;
}

/** Finds a row by its whole address, because the API supports nothing else, and opens it. */
export function FindAddress({ path, wanted, texts, find }: FindAddressProps) {
  const [, navigate] = useLocation();
  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('find')).trim();
    if (text === '') return navigate(path);
    const found = await find(text).catch(() => undefined);
    navigate(`${found ? `${path}/${found.id}` : path}${queryOf({ find: text })}`);
  };
  return (
    <search className="find-address">
      <form key={wanted} className="bar" onSubmit={(event) => void onSubmit(event)}>
        <input
          name="find"
          aria-label={texts.label}
          placeholder={texts.placeholder}
          autoComplete="off"
          spellCheck={false}
          defaultValue={wanted}
          onFocus={({ currentTarget }) => currentTarget.select()}
          data-search
        />
        <button type="submit">{texts.action}</button>
      </form>
    </search>
  );
}
