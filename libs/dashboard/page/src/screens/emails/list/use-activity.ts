import { useEffect, useRef } from 'react';

const EVENTS = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const;

/** Calls back when the reader does something after a pause of `pause` milliseconds, or returns to the window. */
export function useActivity(onActive: () => void, pause: number): void {
  const current = useRef(onActive);
  current.current = onActive;
  useEffect(() => {
    let last = Date.now();
    const onEvent = () => {
      const isBack = Date.now() - last > pause;
      last = Date.now();
      if (isBack) current.current();
    };
    for (const event of EVENTS) document.addEventListener(event, onEvent, { passive: true });
    window.addEventListener('focus', onEvent);
    return () => {
      for (const event of EVENTS) document.removeEventListener(event, onEvent);
      window.removeEventListener('focus', onEvent);
    };
  }, [pause]);
}
