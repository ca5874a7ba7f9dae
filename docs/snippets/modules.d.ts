/** Modules that snippets import and that are not here: a package that is not installed, a client that is generated. */
declare module 'kysely' {
  export class CompiledQuery<Row = unknown> {
    static raw<Row>(sql: string, parameters?: readonly unknown[]): CompiledQuery<Row>;
  }
  export interface Transaction<Database> {
    executeQuery<Row>(query: CompiledQuery<Database>): Promise<{ rows: Row[] }>;
  }
}

declare module '*/generated/client.js' {
  export namespace Prisma {
    interface TransactionClient {
      $queryRawUnsafe<Rows = object[]>(sql: string, ...parameters: unknown[]): Promise<Rows>;
    }
  }
}
