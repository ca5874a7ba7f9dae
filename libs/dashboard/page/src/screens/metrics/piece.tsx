import type { SeriesName } from './series';
import { linesOf, type Rectangle } from './texture';

interface PieceProps {
  name: SeriesName;
  tone: string;
  place: Rectangle;
}

/** A piece of a bar, or of the legend: its colour, and a pattern that distinguishes it without colour. */
export function Piece({ name, tone, place }: PieceProps) {
  const inside = within(place);
  return (
    <g className={`piece ${tone} ${name}`}>
      <rect {...inside} />
      <path d={linesOf(name, inside)} />
    </g>
  );
}

/** Half of the outline of a hollow piece is outside of it, so the piece is drawn smaller by that. */
function within({ x, y, width, height }: Rectangle): Rectangle {
  return { x: x + 0.5, y: y + 0.5, width: Math.max(width - 1, 0.5), height: Math.max(height - 1, 0.5) };
}
