export declare function makeTempFolder(prefix?: string): string;
