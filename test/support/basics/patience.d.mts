export declare const PATIENCE: number;

export declare const TEST_LIMIT: number;
