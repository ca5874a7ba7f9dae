import {
  Ban,
  CalendarClock,
  Check,
  CheckCheck,
  CircleDashed,
  CircleSlash,
  Clock,
  FileQuestion,
  Flag,
  LoaderCircle,
  type LucideIcon,
  MailOpen,
  MousePointerClick,
  Pause,
  Pencil,
  Send,
  ShieldOff,
  TriangleAlert,
  Undo2,
} from 'lucide-react';
import type { EmailState } from '../api/types';
import './badge.css';

type Tone = 'neutral' | 'info' | 'success' | 'warning' | 'danger';

export interface Look {
  icon: LucideIcon;
  word: string;
  tone: Tone;
}

/** Looks of email states; a missing one does not compile. */
const OF_EMAILS: Readonly<Record<EmailState, Look>> = {
  scheduled: { icon: CalendarClock, word: 'scheduled', tone: 'neutral' },
  queued: { icon: CircleDashed, word: 'queued', tone: 'neutral' },
  sent: { icon: Send, word: 'sent', tone: 'info' },
  delivered: { icon: CheckCheck, word: 'delivered', tone: 'success' },
  opened: { icon: MailOpen, word: 'opened', tone: 'success' },
  clicked: { icon: MousePointerClick, word: 'clicked', tone: 'success' },
  delivery_delayed: { icon: Clock, word: 'delayed', tone: 'warning' },
  complained: { icon: Flag, word: 'complained', tone: 'danger' },
  bounced: { icon: Undo2, word: 'bounced', tone: 'danger' },
  failed: { icon: TriangleAlert, word: 'failed', tone: 'danger' },
  canceled: { icon: Ban, word: 'canceled', tone: 'neutral' },
  suppressed: { icon: ShieldOff, word: 'suppressed', tone: 'neutral' },
};

const LOOKS: Readonly<Record<string, Look>> = {
  ...OF_EMAILS,
  pending: { icon: CircleDashed, word: 'pending', tone: 'neutral' },
  attempting: { icon: LoaderCircle, word: 'trying', tone: 'warning' },
  success: { icon: Check, word: 'success', tone: 'success' },
  enabled: { icon: Check, word: 'enabled', tone: 'success' },
  disabled: { icon: CircleSlash, word: 'disabled', tone: 'neutral' },
  held: { icon: Pause, word: 'held', tone: 'warning' },
  no_content: { icon: FileQuestion, word: 'No content', tone: 'warning' },
  draft: { icon: Pencil, word: 'draft', tone: 'neutral' },
  not_started: { icon: CircleDashed, word: 'not started', tone: 'neutral' },
  verified: { icon: Check, word: 'verified', tone: 'success' },
  temporary_failure: { icon: Clock, word: 'not found', tone: 'warning' },
  published: { icon: Check, word: 'published', tone: 'success' },
};

/** A word with its icon on the tint of its meaning; never a colour alone. */
export function Badge({ icon: Icon, word, tone }: Look) {
  return (
    <span className={`badge ${tone}`}>
      <Icon className="icon" size={13} strokeWidth={2.25} aria-hidden="true" />
      <span className="word">{word}</span>
    </span>
  );
}

/** The badge of a state. An unknown state is shown by its name. */
export function StateBadge({ state }: { state: string }) {
  return <Badge {...lookOf(state)} />;
}

/** The look of a state, for parts that show it in another form. */
export function lookOf(state: string): Look {
  return LOOKS[state] ?? { icon: CircleDashed, word: state, tone: 'neutral' };
}
