export const groups: Readonly<Record<string, readonly string[]>>;
export const files: readonly string[];
