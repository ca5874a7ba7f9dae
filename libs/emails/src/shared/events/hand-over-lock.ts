/** Advisory-lock namespace of the hand-over (`outb` in ASCII). */
const HANDING_OVER = 0x6f75_7462;

/** SQL of the advisory lock under which one transaction at a time hands events over. @param subscriber SQL of its name */
export const handOverLock = (subscriber: string) => `hashtextextended(${subscriber}, ${HANDING_OVER})`;
