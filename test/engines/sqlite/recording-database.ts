import { DatabaseSync } from 'node:sqlite';

/** A database that records the text of every prepared statement. */
export class RecordingDatabase extends DatabaseSync {
  statements: string[] = [];

  override prepare(sql: string) {
    this.statements.push(sql);
    return super.prepare(sql);
  }
}
