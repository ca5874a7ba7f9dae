import { tagsOf } from './html-tags';

/** A piece of html of one kind. */
export interface Piece {
  kind: 'text' | 'tag' | 'attribute' | 'value' | 'comment';
  text: string;
}

/** The whole html in pieces for colours: joined they are the html again. */
export function piecesOf(html: string): Piece[] {
  const pieces: Piece[] = [];
  let written = 0;
  const upTo = (end: number, kind: Piece['kind']) => {
    if (end > written) pieces.push({ kind, text: html.slice(written, end) });
    written = Math.max(written, end);
  };
  for (const { kind, start, end, attributes } of tagsOf(html)) {
    upTo(start, 'text');
    for (const attribute of attributes) {
      upTo(attribute.start, 'tag');
      upTo(attribute.nameEnd, 'attribute');
      upTo(attribute.end, 'value');
    }
    upTo(end, kind);
  }
  upTo(html.length, 'text');
  return pieces;
}
