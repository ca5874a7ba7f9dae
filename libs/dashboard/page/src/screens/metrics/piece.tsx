import type { SeriesName } from './series';
import { linesOf, type Place } from './texture';

interface PieceProps {
  name: SeriesName;
  tone: string;
  place: Place;
}

/** A piece of a bar, or of the legend: its colour, and what tells it apart without that. */
export function Piece({ name, tone, place }: PieceProps) {
  const inside = within(place);
  return (
    <g className={`piece ${tone} ${name}`}>
      <rect {...inside} />
      <path d={linesOf(name, inside)} />
    </g>
  );
}

/** Half the line around a hollow piece lies outside of it: it is drawn that much smaller. */
function within({ x, y, width, height }: Place): Place {
  return { x: x + 0.5, y: y + 0.5, width: Math.max(width - 1, 0.5), height: Math.max(height - 1, 0.5) };
}
