import type { TestContext } from 'node:test';
import { Client } from 'pg';
import type { Postgres } from '../../service/postgres.ts';
import { openPostgres } from '../../service/stores.ts';

/** The schema that has the rows of a new database. */
const NEW = 'as_new';

interface Schema {
  readonly name: string;
  readonly url: string;
}

/** Schemas for one test at a time, each as new when it is taken: every migration would take ten times as long. */
export class ReusedSchemas {
  readonly #server: Postgres;
  readonly #client: Client;
  readonly #free: Schema[] = [];
  #renewing: ((schema: string) => string) | undefined;

  private constructor(server: Postgres, client: Client) {
    this.#server = server;
    this.#client = client;
  }

  static async on(server: Postgres): Promise<ReusedSchemas> {
    const client = new Client({ connectionString: server.url('postgres') });
    // The server may end first.
    client.on('error', () => undefined);
    await client.connect();
    return new ReusedSchemas(server, client);
  }

  /** The URL of a schema that no other test has before the end of this one. */
  async take(t: TestContext): Promise<string> {
    const schema = this.#free.pop() ?? (await this.#add());
    t.after(() => this.#free.push(schema));
    this.#renewing ??= await this.#keep(schema.name);
    await this.#client.query(this.#renewing(schema.name));
    return schema.url;
  }

  end(): Promise<void> {
    return this.#client.end();
  }

  async #add(): Promise<Schema> {
    const url = await this.#server.freshSchema();
    await (await openPostgres(url)).close();
    const [{ name } = {}] = await this.#server.ask('SELECT current_schema AS name', url);
    return { name: String(name), url };
  }

  /** Keeps the rows of a new schema, and gives the statements that bring another one to them. */
  async #keep(schema: string): Promise<(name: string) => string> {
    const { rows } = await this.#client.query(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = $1 AND tablename <> 'tessera_migrations'`,
      [schema],
    );
    const counted = await this.#client.query(
      'SELECT sequencename AS name, last_value AS last FROM pg_sequences WHERE schemaname = $1',
      [schema],
    );
    const tables: string[] = rows.map(({ name }) => name);
    const each = (sql: (table: string) => string) => tables.map(sql).join('; ');
    await this.#client.query(
      `CREATE SCHEMA ${NEW}; ${each((table) => `CREATE TABLE ${NEW}.${table} AS TABLE ${schema}.${table}`)}`,
    );
    return (name) => {
      const ids = counted.rows.map(
        ({ name: sequence, last }) => `SELECT setval('${name}.${sequence}', ${last ?? 1}, ${last !== null})`,
      );
      // No trigger has a part in it.
      return `BEGIN; SET LOCAL session_replication_role = replica;
        ${each((table) => `DELETE FROM ${name}.${table}`)};
        ${each((table) => `INSERT INTO ${name}.${table} SELECT * FROM ${NEW}.${table}`)};
        UPDATE ${name}.server SET database_id = gen_random_uuid()::text; ${ids.join('; ')}; COMMIT`;
    };
  }
}
