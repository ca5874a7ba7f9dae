import { Flag, Hand, Undo2 } from 'lucide-react';
import type { Suppression } from '../../api/types';
import { Badge, type Look } from '../../parts/badge';
import { ORIGINS } from './texts';

type Origin = Suppression['origin'];

const LOOKS: Readonly<Record<Origin, Pick<Look, 'icon' | 'tone'>>> = {
  bounce: { icon: Undo2, tone: 'danger' },
  complaint: { icon: Flag, tone: 'danger' },
  manual: { icon: Hand, tone: 'neutral' },
};

/** The origin of an entry. */
export function OriginBadge({ origin }: { origin: Origin }) {
  return <Badge {...LOOKS[origin]} word={ORIGINS[origin].word} />;
}

/** The origin that a text names; undefined for another. */
export function asOrigin(text: string): Origin | undefined {
  return Object.hasOwn(ORIGINS, text) ? (text as Origin) : undefined;
}
