export const BUDGET: { readonly tick: number; readonly peak: number; readonly kept: number };
