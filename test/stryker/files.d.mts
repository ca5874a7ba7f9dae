export const groups: Readonly<Record<string, { share: number; names: readonly string[] }>>;
export const files: readonly string[];
export const share: number | null;
