import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Keyboard, LogOut, Search } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { type Session, signOut } from '../api/session';
import { useKeptFocus } from '../hooks/use-kept-focus';
import { useShortcuts } from '../hooks/use-shortcuts';
import { Problem } from '../parts/problem';
import { GoTo } from './go-to';
import { OutageBanner } from './outage-banner';
import { PauseBanner } from './pause-banner';
import { Place } from './place';
import { RoleNotice } from './role-notice';
import type { ScreenEntry } from './screens';
import { ShortcutsHelp } from './shortcuts-help';
import { StagingBanner } from './staging-banner';
import { TEXTS } from './texts';
import { ThemeChoice } from './theme-choice';
import { useGoToKey } from './use-go-to-key';
import { useStatus } from './use-status';
import './frame.css';

interface FrameProps {
  session: Session;
  screens: readonly ScreenEntry[];
  children: ReactNode;
}

/** The navigation, and next to it the chosen screen. */
export function Frame({ session, screens, children }: FrameProps) {
  const [location] = useLocation();
  const { degraded, staging, paused } = useStatus(session);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [isGoing, setGoing] = useState(false);
  useGoToKey(() => setGoing(true));
  const main = useRef<HTMLElement>(null);
  const nav = useRef<HTMLElement>(null);
  const client = useQueryClient();
  const leave = useMutation({ mutationFn: () => signOut(client) });
  const listed = screens.filter(({ isUnlisted }) => !isUnlisted);
  const current = screens.find(({ path }) => isAt(location, path));
  useShortcuts({
    '?': () => setHelpOpen(true),
    '/': () => focusOn(main.current?.querySelector<HTMLElement>('[data-search]')),
  });
  useLeavingSearch(main);
  useKeptFocus(main);
  // On narrow screens the navigation is wider than its visible part.
  useEffect(() => {
    nav.current
      ?.querySelector(`[data-path="${current?.path}"]`)
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return (
    <div className="frame">
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        {TEXTS.skip}
      </button>
      <nav ref={nav} aria-label={TEXTS.navigation}>
        <div className="frame-start">
          <Place account={session.account_name} environment={session.environment} />
          <button type="button" className="go-to-button" onClick={() => setGoing(true)}>
            <Search className="icon" size={16} aria-hidden="true" /> {TEXTS.goTo.shortcut} <kbd>Ctrl K</kbd>
          </button>
        </div>
        <ul>
          {listed.map(({ path, title, icon: Icon }) => (
            <li key={path}>
              <Link href={path} data-path={path} aria-current={path === current?.path ? 'page' : undefined}>
                <Icon className="icon" size={16} aria-hidden="true" />
                {title}
              </Link>
            </li>
          ))}
        </ul>
        <button type="button" className="quiet frame-more" popoverTarget="frame-end">
          {TEXTS.more}
        </button>
        <div id="frame-end" className="frame-end" popover="auto">
          <Place account={session.account_name} environment={session.environment} />
          <button type="button" className="quiet" onClick={() => setGoing(true)}>
            <Search className="icon" size={16} aria-hidden="true" /> {TEXTS.goTo.shortcut}
          </button>
          <ThemeChoice />
          <button type="button" className="quiet" onClick={() => setHelpOpen(true)}>
            <Keyboard className="icon" size={16} aria-hidden="true" /> {TEXTS.shortcuts} <kbd>?</kbd>
          </button>
          {session.signIn === 'key' && (
            <button type="button" className="quiet" onClick={() => leave.mutate()}>
              <LogOut className="icon" size={16} aria-hidden="true" /> {TEXTS.signOut}
            </button>
          )}
        </div>
      </nav>
      <main ref={main} tabIndex={-1}>
        <StagingBanner staging={staging} />
        <PauseBanner paused={paused} hasHealth={session.features.operations} />
        <OutageBanner degraded={degraded} hasHealth={session.features.operations} />
        {leave.error && <Problem what={TEXTS.stillSignedIn} error={leave.error} onRetry={() => leave.mutate()} />}
        <RoleNotice role={session.role} />
        {children}
      </main>
      {isGoing && <GoTo screens={listed} onClose={() => setGoing(false)} />}
      {isHelpOpen && <ShortcutsHelp more={current?.keys ?? []} onClose={() => setHelpOpen(false)} />}
    </div>
  );
}

function isAt(location: string, path: string): boolean {
  return location === path || location.startsWith(`${path}/`);
}

function focusOn(field: HTMLElement | null | undefined): void {
  field?.focus();
  if (field instanceof HTMLInputElement) field.select();
}

/** Escape leaves the search, so that the keys of the screen work again; the typed text stays. */
function useLeavingSearch(main: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const field = event.target;
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      if (!(field instanceof HTMLElement) || !field.matches('[data-search]')) return;
      event.preventDefault();
      main.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [main]);
}
