import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import { type Domain, refreshDomain } from '../../api/domains';
import { Card } from '../../parts/card';
import { Field } from '../../parts/field';
import { Changeable } from '../../parts/only-for';
import { Problem } from '../../parts/problem';
import { useToast } from '../../parts/toast';
import { TEXTS, TLS } from './texts';

/** Whether emails of a domain may be delivered without encryption. */
export function Encryption({ domain: { id, tls } }: { domain: Domain }) {
  const client = useQueryClient();
  const toast = useToast();
  const save = useMutation({
    mutationFn: (wanted: Domain['tls']) => api('PATCH', `domains/${id}`, { body: { tls: wanted } }),
    onSuccess: async () => {
      await refreshDomain(client, id);
      toast(TEXTS.changed);
    },
  });
  return (
    <Card title={TEXTS.encryption}>
      <Changeable>
        <Field label={TEXTS.tls} hint={TEXTS.tlsHint}>
          {(ids) => (
            <select
              {...ids}
              disabled={save.isPending}
              value={save.isPending ? save.variables : tls}
              onChange={({ target }) => save.mutate(target.value as Domain['tls'])}
            >
              {Object.entries(TLS).map(([value, title]) => (
                <option key={value} value={value}>
                  {title}
                </option>
              ))}
            </select>
          )}
        </Field>
      </Changeable>
      {save.error && <Problem what={TEXTS.notChanged} error={save.error} />}
    </Card>
  );
}
