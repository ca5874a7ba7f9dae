export const files: readonly string[];
