import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { type Session, signOut } from '../api/session';
import { useShortcuts } from '../hooks/use-shortcuts';
import type { ScreenEntry } from './screens';
import { ShortcutsHelp } from './shortcuts-help';
import { ThemeChoice } from './theme-choice';
import './frame.css';

interface FrameProps {
  session: Session;
  screens: readonly ScreenEntry[];
  children: ReactNode;
}

/** The navigation, and beside it the screen that was chosen. */
export function Frame({ session, screens, children }: FrameProps) {
  const [location] = useLocation();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const client = useQueryClient();
  const main = useRef<HTMLElement>(null);
  useShortcuts({
    '?': () => setHelpOpen(true),
    '/': () => document.querySelector<HTMLElement>('[data-search]')?.focus(),
  });
  return (
    <div className="frame">
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <nav aria-label="Screens">
        <ul>
          {screens.map(({ path, title }) => (
            <li key={path}>
              <Link href={path} aria-current={isAt(location, path) ? 'page' : undefined}>
                {title}
              </Link>
            </li>
          ))}
        </ul>
        <div className="frame-end">
          <ThemeChoice />
          <button type="button" className="quiet" onClick={() => setHelpOpen(true)}>
            Keys <kbd>?</kbd>
          </button>
          {session.signIn === 'key' && (
            <button type="button" className="quiet" onClick={() => void signOut(client)}>
              Sign out
            </button>
          )}
        </div>
      </nav>
      <main ref={main} tabIndex={-1}>
        {children}
      </main>
      {isHelpOpen && <ShortcutsHelp onClose={() => setHelpOpen(false)} />}
    </div>
  );
}

function isAt(location: string, path: string): boolean {
  return location === path || location.startsWith(`${path}/`);
}
