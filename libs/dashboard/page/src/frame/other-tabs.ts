import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { PAGE_TOKEN_KEY } from '../api/client';

/** Reloads everything after a sign-in or sign-out in another tab, as tabs share the session. */
export function useOtherTabs(): void {
  const client = useQueryClient();
  useEffect(() => {
    const onStorage = ({ key }: StorageEvent) => {
      if (key === PAGE_TOKEN_KEY || key === null) void client.invalidateQueries();
    };
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, [client]);
}
