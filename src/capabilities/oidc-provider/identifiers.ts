import { hash } from 'node:crypto';
import { type Digest, isDigest } from '../../core/domain/ticket.ts';

/**
 * The key under which the store has an entry: the digest of its kind and its id, so that no code and no token can be read there. The
 * id of a grant is its key itself: no caller presents it, so it is no secret.
 */
export function entryKey(kind: string, id: string): Buffer {
  return kind === 'Grant' && isDigest(id)
    ? Buffer.from(id, 'hex')
    : hash('sha256', `${kind}:${id}`, 'buffer');
}

export const consentKey = (userId: number, client: string): Buffer =>
  entryKey('Consent', `${userId} ${client}`);

/** What tokens call the session of an application that hangs on a ticket (`sid`). It tells nothing of the ticket. */
export const sessionIdOf = (ticket: Digest, client: string): string =>
  hash('sha256', `sid:${ticket}:${client}`, 'base64url');

/**
 * The subject of a user (`sub`): no other user gets it, not even after a removal, or in another database with the same ids. A restored
 * database has users of its backup, who keep their subjects, and others, who may have the ids of users that the backup did not know.
 */
export function subjectOf(databaseId: string, userId: number): string {
  const [id = '', last, ...before] = databaseId.split('~');
  return userId <= Number(last) ? subjectOf(before.join('~'), userId) : `${id}.${userId}`;
}

/** The id of the user whom a subject names, whatever the database. */
export const userIdOf = (subject: string): number => Number(subject.slice(subject.lastIndexOf('.') + 1));

/** For what a private key that signs tokens is sealed in the store. */
export const signingKeyPurpose = (kid: string): string => `signing key ${kid}`;
