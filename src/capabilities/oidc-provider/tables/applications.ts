import { type SqlRow, toClient } from '../../../engines/sql/sql.ts';
import { type Reading, statements, type UnitTable } from '../../../engines/sql/statement.ts';
import type { Application, ApplicationSettings } from '../application.ts';

export interface ApplicationsRead {
  find(name: string): Promise<Application | undefined>;
  /** Sorted by name, in the order of code points. */
  list(): Promise<Application[]>;
}

/** Applications are registered clients with settings: one is removed together with its client, from the clients. */
export interface Applications extends ApplicationsRead {
  /** Replaces the settings of the registered client with this name; returns false if there is no such client. */
  put(name: string, settings: ApplicationSettings): Promise<boolean>;
}

declare module '../../../core/storage/store.ts' {
  interface ReadUnit {
    readonly applications: ApplicationsRead;
  }
  interface WriteUnit {
    readonly applications: Applications;
  }
}

const SELECT_APPLICATIONS = `SELECT c.name, c.secret_digest, c.added_at, a.settings
  FROM clients c JOIN applications a ON a.client = c.name`;

const putting = (lockClient: string) => `INSERT INTO applications (client, settings)
  SELECT name, $2 FROM clients WHERE name = $1 ${lockClient}
  ON CONFLICT (client) DO UPDATE SET settings = excluded.settings`;

const SQL = statements('applications', {
  find: `${SELECT_APPLICATIONS} WHERE c.name = $1`,
  list: `${SELECT_APPLICATIONS} ORDER BY c.name`,
  // The lock makes a unit that removes the client wait, so that it removes these settings, too.
  put: { postgres: putting('FOR UPDATE'), sqlite: putting('') },
});

const toApplication = (row: SqlRow): Application => ({
  ...toClient(row),
  settings: JSON.parse(row.settings as string) as ApplicationSettings,
});

const read = (db: Reading): ApplicationsRead => ({
  async find(name) {
    const [row] = await db.rows(SQL.find, name);
    return row && toApplication(row);
  },
  list: async () => (await db.rows(SQL.list)).map(toApplication),
});

export const applicationsTable: UnitTable = {
  member: 'applications',
  read,
  write: (db): Applications => ({
    ...read(db),
    put: async (name, settings) => (await db.change(SQL.put, name, JSON.stringify(settings))) === 1,
  }),
};
