import type { SeriesName } from './series';

/** Patterns that distinguish pieces without colour. */
const TEXTURES: Readonly<Partial<Record<SeriesName, 'across' | 'upright'>>> = {
  bounced: 'across',
  failed: 'across',
  suppressed: 'upright',
};

/** Distance of lines. Pixels. */
const STEP = 4;

export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The path of the lines within a piece; empty for a plain or small one. */
export function linesOf(name: SeriesName, { x, y, width, height }: Rectangle): string {
  const texture = TEXTURES[name];
  if (texture === undefined) return '';
  return texture === 'across'
    ? between(y, height, (at) => `M${x},${at}h${width}`)
    : between(x, width, (at) => `M${at},${y}v${height}`);
}

function between(start: number, length: number, line: (at: number) => string): string {
  const count = Math.max(0, Math.ceil(length / STEP) - 1);
  return Array.from({ length: count }, (_, index) => line(start + (index + 1) * STEP)).join('');
}
