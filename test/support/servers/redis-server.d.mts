export declare function findRedisServer(): string | undefined;

export declare function findProgram(...names: string[]): string | undefined;

export declare class RedisServer {
  private constructor();
  readonly url: string;
  readonly port: number;
  start(): Promise<void>;
  freeze(): void;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export declare function startRedisServer(options: {
  folder: string;
  persistent?: boolean;
  program?: string;
  args?: readonly string[];
}): Promise<RedisServer>;
