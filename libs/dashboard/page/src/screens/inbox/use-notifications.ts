import { useEffect, useRef, useState } from 'react';
import { readItem, writeItem } from '../../api/browser-storage';
import type { InboxEntry } from './inbox-api';
import { TEXTS } from './texts';

const KEY = 'nestjs-emails inbox notify';
/** Limit of characters that name the recipients. */
const LONGEST = 200;

/** Notifications about new messages, while the tab is in the background. Off until the reader asks for them. */
export function useNotifications(entries: readonly InboxEntry[]) {
  const [isOn, setOn] = useState(() => isPossible() && Notification.permission === 'granted' && isWanted());
  const [isDenied, setDenied] = useState(false);
  const newest = entries[0];
  const known = useRef(newest?.received_at);
  useEffect(() => {
    const before = known.current;
    if (newest === undefined || newest.received_at === before) return;
    known.current = newest.received_at;
    // Before the first answer nothing is known; what it has is not new.
    if (before === undefined || newest.received_at < before || !isOn || !document.hidden) return;
    show(newest);
  }, [newest, isOn]);
  const toggle = async () => {
    const next = !isOn && (await Notification.requestPermission()) === 'granted';
    setDenied(!isOn && !next);
    writeItem('localStorage', KEY, String(next));
    setOn(next);
  };
  return { isPossible: isPossible(), isOn, isDenied, toggle };
}

function show({ subject, to }: InboxEntry): void {
  try {
    // The same tag replaces an earlier one, so that a thousand messages leave one notification.
    new Notification(subject || TEXTS.noSubject, { body: to.join(', ').slice(0, LONGEST), tag: KEY });
  } catch {
    // Chrome on Android has notifications of service workers alone.
  }
}

/** Only https and loopback addresses have notifications. */
function isPossible(): boolean {
  return 'Notification' in window && window.isSecureContext;
}

function isWanted(): boolean {
  return readItem('localStorage', KEY) === 'true';
}
