import { CircleCheck } from 'lucide-react';
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import './toast.css';

/** Time for which a message is shown. Milliseconds. */
const SHOWN = 6_000;

interface Message {
  id: number;
  text: ReactNode;
}

type Show = (text: ReactNode) => void;

const Toasts = createContext<Show>(() => {});

/** Shows that an action succeeded, for a few seconds, in the corner. Failures stay where the action was. */
export const useToast = (): Show => useContext(Toasts);

let count = 0;

/** The place of the messages of all screens. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [messages, setMessages] = useState<readonly Message[]>([]);
  const show = useCallback((text: ReactNode) => {
    const message = { id: count++, text };
    setMessages((known) => [...known, message]);
    setTimeout(() => setMessages((known) => known.filter(({ id }) => id !== message.id)), SHOWN);
  }, []);
  return (
    <Toasts value={show}>
      {children}
      <div className="toasts" role="status">
        {messages.map(({ id, text }) => (
          <p key={id} className="appears">
            <CircleCheck className="icon" size={16} aria-hidden="true" />
            <span>{text}</span>
          </p>
        ))}
      </div>
    </Toasts>
  );
}
