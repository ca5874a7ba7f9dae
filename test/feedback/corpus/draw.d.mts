export declare const SEED: string;
export declare function isHeldOut(id: string, seed?: string): boolean;
