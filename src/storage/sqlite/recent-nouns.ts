import type { Counter } from '../../domain/lockout.ts';
import type { Node } from '../../domain/node.ts';
import type { User } from '../../domain/user.ts';
import type { Attempts, AttemptsRead, Nodes, NodesRead, Users, UsersRead } from '../store.ts';
import type { Recent } from './recent.ts';

/** A noun as units read it, by what was read lately, and as they write it, with what they change noted. */
interface RecentNoun<R, W> {
  reading(read: R): R;
  writing(written: W): W;
}

/** Several texts as one, never the same for others. */
const joined = (one: string, two: string, three = '') => `${one.length} ${two.length} ${one}${two}${three}`;

/** A list of texts as one, never the same for others. */
const strung = (texts: readonly string[]) => texts.reduce((all, text) => `${all}${text.length} ${text}`, '');

/** Users by id and by key. */
export function recentUsers(recent: Recent): RecentNoun<UsersRead, Users> {
  const byId = recent.shelf<number, Promise<User | undefined>>();
  const byKey = recent.shelf<string, Promise<User | undefined>>();
  const changed = (id: number) => {
    byId.changes(id);
    byKey.changes();
  };
  return {
    reading: (read) => ({
      ...read,
      find: (id) => recent.read(byId, id, () => read.find(id)),
      findByKey: (key) => recent.read(byKey, key, () => read.findByKey(key)),
    }),
    writing: (written) => ({
      ...written,
      add(user) {
        byKey.changes(user.key);
        return written.add(user);
      },
      change(id, change) {
        changed(id);
        return written.change(id, change);
      },
      remove(id) {
        changed(id);
        return written.remove(id);
      },
    }),
  };
}

/** Counters of failures: mostly that there is none. */
export function recentCounters(recent: Recent): RecentNoun<AttemptsRead, Attempts> {
  const counters = recent.shelf<string, Promise<Counter | undefined>>();
  return {
    reading: (read) => ({ ...read, find: (key) => recent.read(counters, key, () => read.find(key)) }),
    writing: (written) => ({
      ...written,
      put(key, name, counter) {
        counters.changes(key);
        return written.put(key, name, counter);
      },
      remove(key) {
        counters.changes(key);
        return written.remove(key);
      },
      removeOfName(name) {
        counters.changes();
        return written.removeOfName(name);
      },
      trim(most, now) {
        counters.changes();
        return written.trim(most, now);
      },
    }),
  };
}

/** Familiar addresses, which go with their user. */
export function recentFamiliar(recent: Recent): RecentNoun<AttemptsRead, Attempts> & {
  writingUsers(users: Users): Users;
} {
  const since = recent.shelf<string, Promise<number | undefined>>();
  const place = (userId: number, address: string) => `${userId} ${address}`;
  return {
    reading: (read) => ({
      ...read,
      familiarSince: (userId, address) =>
        recent.read(since, place(userId, address), () => read.familiarSince(userId, address)),
    }),
    writing: (written) => ({
      ...written,
      setFamiliar(userId, address, at) {
        since.changes(place(userId, address));
        return written.setFamiliar(userId, address, at);
      },
      forgetFamiliar(userId, address) {
        since.changes(place(userId, address));
        return written.forgetFamiliar(userId, address);
      },
      sweepFamiliar(before) {
        since.changes();
        return written.sweepFamiliar(before);
      },
    }),
    writingUsers: (users) => ({
      ...users,
      remove(id) {
        since.changes();
        return users.remove(id);
      },
    }),
  };
}

/** Nodes by id and by the names on their way down from the root; any change of a node empties them. */
export function recentNodes(recent: Recent): RecentNoun<NodesRead, Nodes> {
  const byId = recent.shelf<string, Promise<Node | undefined>>();
  const roots = recent.shelf<string, Promise<Node | undefined>>();
  const children = recent.shelf<string, Promise<Node | undefined>>();
  const ends = recent.shelf<string, Promise<Node | undefined>>();
  const changed = () => {
    for (const shelf of [byId, roots, children, ends]) shelf.changes();
  };
  return {
    reading: (read) => ({
      ...read,
      find: (store, id) => recent.read(byId, joined(store, id), () => read.find(store, id)),
      root: (store) => recent.read(roots, store, () => read.root(store)),
      child: (store, parent, name) =>
        recent.read(children, joined(store, parent, name), () => read.child(store, parent, name)),
      at: (store, names) => recent.read(ends, joined(store, strung(names)), () => read.at(store, names)),
    }),
    writing: (written) => ({
      ...written,
      put(node) {
        changed();
        return written.put(node);
      },
      remove(store, id) {
        changed();
        return written.remove(store, id);
      },
    }),
  };
}
