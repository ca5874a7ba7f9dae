export declare function findRedisServer(path?: string): string | undefined;

export declare class RedisServer {
  private constructor();
  readonly url: string;
  readonly port: number;
  start(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  killNow(): void;
}

export declare function startRedisServer(options: {
  folder: string;
  persistent?: boolean;
  program?: string;
}): Promise<RedisServer>;
