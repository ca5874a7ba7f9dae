export const GARBAGE: number;
