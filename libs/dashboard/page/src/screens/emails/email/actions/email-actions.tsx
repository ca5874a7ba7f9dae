import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ban, CalendarClock, Download, Forward, RotateCw, Share2, SquareTerminal } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../../../api/client';
import type { Email, EmailRecipient } from '../../../../api/types';
import { FormDialog } from '../../../../parts/form-dialog';
import { Menu, type MenuItem } from '../../../../parts/menu';
import { Problem } from '../../../../parts/problem';
import { useToast } from '../../../../parts/toast';
import { useMay } from '../../../../parts/use-may';
import { isKept, type Standing } from '../content/standing';
import { possibleIn } from '../progress';
import { TEXTS } from '../texts';
import { CopyCurl } from './copy-curl';
import { downloadEml } from './download-eml';
import { Reschedule } from './reschedule';
import { Resend } from './resend';
import { Share } from './share';

const texts = TEXTS.actions;

interface EmailActionsProps {
  email: Email;
  recipients: readonly EmailRecipient[];
  attachmentCount: number;
  standing: Standing;
}

type Question = 'cancel' | 'reschedule' | 'resend' | 'share' | 'curl';

/** Actions that are possible on the email now, and no others. On a phone all but the first are in the menu. */
export function EmailActions({ email, recipients, attachmentCount, standing }: EmailActionsProps) {
  const [open, setOpen] = useState<Question>();
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const toast = useToast();
  const close = () => setOpen(undefined);
  const done = (text: string) => {
    close();
    toast(text);
    void client.invalidateQueries({ queryKey: ['emails'] });
  };
  const change = useMutation({
    mutationFn: (what: 'cancel' | 'retry') => api('POST', `emails/${email.id}/${what}`),
    onSuccess: (_, what) => done(what === 'cancel' ? texts.canceled : texts.retried),
    onError: () => {
      close();
      void client.invalidateQueries({ queryKey: ['emails'] });
    },
  });
  const saving = useMutation({ mutationFn: () => downloadEml(email) });
  const { first, second } = useOffered(email, recipients, standing, {
    ask: setOpen,
    retry: { isDisabled: change.isPending, run: () => change.mutate('retry') },
    save: { isDisabled: saving.isPending, run: () => saving.mutate() },
  });
  return (
    <div className="end email-actions">
      {first.map((item, at) => (
        <ActionButton key={item.name} item={item} isFirst={at === 0} />
      ))}
      {(second.length > 0 || first.length > 1) && (
        <Menu
          label={texts.more}
          items={[...first.slice(1).map((item) => ({ ...item, onlyNarrow: second.length > 0 })), ...second]}
        />
      )}
      {change.error && <Problem what={texts.failed} error={change.error} />}
      {saving.error && <Problem what={texts.emlFailed} error={saving.error} />}
      {open === 'cancel' && (
        <FormDialog
          title={TEXTS.cancel.title}
          action={TEXTS.cancel.action}
          closeLabel={TEXTS.cancel.keep}
          isDangerous
          task={{ isPending: change.isPending, mutate: () => change.mutate('cancel') }}
          onClose={close}
        >
          <p>{TEXTS.cancel.meaning}</p>
        </FormDialog>
      )}
      {open === 'reschedule' && <Reschedule email={email} onClose={close} onDone={() => done(TEXTS.reschedule.done)} />}
      {open === 'share' && <Share id={email.id} onClose={close} />}
      {open === 'curl' && <CopyCurl email={email} attachmentCount={attachmentCount} onClose={close} />}
      {open === 'resend' && (
        <Resend
          email={email}
          recipients={recipients}
          onClose={close}
          onDone={(id) => {
            close();
            void client.invalidateQueries({ queryKey: ['emails'] });
            navigate(`/emails/${id}`);
          }}
        />
      )}
    </div>
  );
}

interface Tasks {
  ask: (question: Question) => void;
  retry: Pick<MenuItem, 'isDisabled' | 'run'>;
  save: Pick<MenuItem, 'isDisabled' | 'run'>;
}

/** The actions with a button, the most useful one first, and those that are always in the menu. */
function useOffered(email: Email, recipients: readonly EmailRecipient[], standing: Standing, tasks: Tasks) {
  const may = useMay();
  const possible = possibleIn(email.last_event, recipients);
  const [helps, administers, kept] = [may('support'), may('admin'), isKept(standing)];
  const ask = (question: Question) => () => tasks.ask(question);
  const first: (MenuItem | false)[] = [
    possible.retry && helps && { name: texts.retry, icon: RotateCw, ...tasks.retry },
    possible.reschedule && administers && { name: texts.reschedule, icon: CalendarClock, run: ask('reschedule') },
    possible.sendAgain && helps && kept && { name: texts.resend, icon: Forward, run: ask('resend') },
    possible.cancel && helps && { name: texts.cancel, icon: Ban, isDangerous: true, run: ask('cancel') },
  ];
  const second: (MenuItem | false)[] = [
    helps && kept && { name: texts.share, icon: Share2, run: ask('share') },
    helps && kept && { name: texts.curl, icon: SquareTerminal, run: ask('curl') },
    helps && kept && { name: texts.eml, icon: Download, ...tasks.save },
  ];
  return { first: first.filter(isOffered), second: second.filter(isOffered) };
}

function isOffered(item: MenuItem | false): item is MenuItem {
  return item !== false;
}

function ActionButton({ item, isFirst }: { item: MenuItem; isFirst: boolean }) {
  const { name, icon: Icon, isDangerous, isDisabled, run } = item;
  const classes = [isDangerous && 'danger', !isFirst && 'only-wide'].filter(Boolean).join(' ');
  return (
    <button type="button" className={classes} disabled={isDisabled} onClick={run}>
      <Icon className="icon" size={14} aria-hidden="true" /> {name}
    </button>
  );
}
