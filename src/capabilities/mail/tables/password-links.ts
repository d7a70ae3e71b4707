import type { Sweep } from '../../../core/storage/sweep.ts';
import { bufferOf, type SqlRow } from '../../../engines/sql/sql.ts';
import { type Reading, statements, type UnitTable } from '../../../engines/sql/statement.ts';

/** What a link lets its owner do: choose the first password, or another one. */
export type LinkPurpose = 'invitation' | 'password-reset';

/** A link by which its owner chooses a password. Its secret is nowhere in the store. */
export interface PasswordLink {
  readonly userId: number;
  readonly purpose: LinkPurpose;
  readonly digest: Buffer;
  /** The user's generation when the link was written. A change of the password, or the end of all tickets, ends the link. */
  readonly generation: number;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

export interface PasswordLinksRead {
  find(digest: Buffer): Promise<PasswordLink | undefined>;
}

/** The links to choose a password. A user has one for each purpose: the newest. */
export interface PasswordLinks extends PasswordLinksRead {
  /** Keeps the link, in place of another one of the user for the same purpose. */
  put(link: PasswordLink): Promise<void>;
  /** Keeps a link that was taken, unless the user got another one for the same purpose meanwhile. */
  putBack(link: PasswordLink): Promise<void>;
  /** Removes all links of the user; returns how many there were. */
  removeOf(userId: number): Promise<number>;
  /** Removes up to `limit` links that expired before `at`; returns how many. */
  sweep(at: number, limit: number): Promise<number>;
}

declare module '../../../core/storage/store.ts' {
  interface ReadUnit {
    readonly passwordLinks: PasswordLinksRead;
  }
  interface WriteUnit {
    readonly passwordLinks: PasswordLinks;
  }
}

const COLUMNS = 'user_id, purpose, digest, generation, expires_at';
const INSERT = `INSERT INTO password_links (${COLUMNS}) VALUES ($1, $2, $3, $4, $5)`;

const SQL = statements('password_links', {
  find: `SELECT ${COLUMNS} FROM password_links WHERE digest = $1`,
  put: `${INSERT} ON CONFLICT (user_id, purpose) DO UPDATE
    SET digest = excluded.digest, generation = excluded.generation, expires_at = excluded.expires_at`,
  putBack: `${INSERT} ON CONFLICT DO NOTHING`,
  removeOf: 'DELETE FROM password_links WHERE user_id = $1',
  sweep: `DELETE FROM password_links WHERE (user_id, purpose) IN
    (SELECT user_id, purpose FROM password_links WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)`,
});

const toPasswordLink = (row: SqlRow): PasswordLink => ({
  userId: row.user_id as number,
  purpose: row.purpose as LinkPurpose,
  digest: bufferOf(row.digest),
  generation: row.generation as number,
  expiresAt: row.expires_at as number,
});

const valuesOf = ({ userId, purpose, digest, generation, expiresAt }: PasswordLink) =>
  [userId, purpose, digest, generation, expiresAt] as const;

const read = (db: Reading): PasswordLinksRead => ({
  async find(digest) {
    const [row] = await db.rows(SQL.find, digest);
    return row && toPasswordLink(row);
  },
});

export const passwordLinksTable: UnitTable = {
  member: 'passwordLinks',
  read,
  write: (db): PasswordLinks => ({
    ...read(db),
    put: (link) => db.send(SQL.put, ...valuesOf(link)),
    putBack: (link) => db.send(SQL.putBack, ...valuesOf(link)),
    removeOf: (userId) => db.change(SQL.removeOf, userId),
    sweep: (at, limit) => db.change(SQL.sweep, at, limit),
  }),
  removeOfUser: SQL.removeOf,
};

export const linksSweep: Sweep = {
  batch: ({ passwordLinks }, { now }, limit) => passwordLinks.sweep(now, limit),
};
