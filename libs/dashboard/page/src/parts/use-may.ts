import { useQuery } from '@tanstack/react-query';
import { allows, type PageRole } from 'nestjs-emails/facts';
import { sessionQuery } from '../api/session';

/** Tells what the visitor may do. The server decides; the page hides the rest. */
export function useMay(): (needed: PageRole) => boolean {
  const { data } = useQuery(sessionQuery);
  const role = data?.role ?? null;
  return (needed) => role !== null && allows(role, needed);
}
