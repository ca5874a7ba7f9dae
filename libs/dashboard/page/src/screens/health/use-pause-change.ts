import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ask } from '../../api/client';
import { useToast } from '../../parts/toast';

interface PauseChange {
  change: 'pause' | 'resume';
  /** Shown when it is done. */
  done: string;
  onDone: () => void;
}

/** Begins or ends a pause, and reads the report and the banner again. */
export function usePauseChange({ change, done, onDone }: PauseChange) {
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (body: object) => ask('POST', `operations/${change}`, { body }),
    onSuccess: async () => {
      await Promise.all(['operations', 'status'].map((key) => client.invalidateQueries({ queryKey: [key] })));
      toast(done);
      onDone();
    },
  });
}
