import type { PageRole } from 'nestjs-emails/facts';
import type { ReactNode } from 'react';
import { useMay } from './use-may';
import './only-for.css';

interface OnlyForProps {
  needs: PageRole;
  children: ReactNode;
  /** Shown to the others. Default: nothing. */
  else?: ReactNode;
}

/** Shows its children to visitors with the needed role or a higher one. */
export function OnlyFor({ needs, children, else: other = null }: OnlyForProps) {
  return useMay()(needs) ? children : other;
}

/** A form that only an admin may fill. */
export function Changeable({ children }: { children: ReactNode }) {
  return (
    <fieldset className="plain" disabled={!useMay()('admin')}>
      {children}
    </fieldset>
  );
}

/** Takes the place of a form that only an admin may use. */
export function AdminsOnly() {
  return <p className="soft">Your role cannot change this. Ask for the role admin.</p>;
}

/** Takes the place of contents. */
export function ContentsHidden() {
  return <p className="soft">Your role does not show contents. Ask for the role support, or admin.</p>;
}
