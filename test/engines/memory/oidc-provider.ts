import { BEFORE_SIGN_IN } from '../../../src/capabilities/oidc-provider/tables/entries.ts';
import type { WriteUnit } from '../../../src/core/storage/store.ts';
import { byCodePoints, every, one, type Sight, type Tables } from './tables.ts';

/** The applications, entries and keys of the OpenID provider, of the memory engine. */
export function oidcProviderIn(
  tables: Tables,
  sight: Sight,
): Pick<WriteUnit, 'applications' | 'providerEntries' | 'signingKeys'> {
  return {
    applications: applicationsIn(tables, sight),
    providerEntries: entriesIn(tables, sight),
    signingKeys: signingKeysIn(tables, sight),
  };
}

function applicationsIn(tables: Tables, sight: Sight): WriteUnit['applications'] {
  const find: WriteUnit['applications']['find'] = async (name) => {
    const [client, settings] = [one(tables.clients, name, sight), one(tables.applications, name, sight)];
    return client && settings && { ...client, settings };
  };
  return {
    find,
    async list() {
      const names = every(tables.clients, sight).map(({ name }) => name);
      const found = await Promise.all(names.sort(byCodePoints).map(find));
      return found.filter((application) => application !== undefined);
    },
    async put(name, settings) {
      if (one(tables.clients, name, sight) === undefined) return false;
      tables.applications.set(name, settings);
      return true;
    },
  };
}

const keyOf = (digest: Buffer) => digest.toString('hex');

function entriesIn({ entries }: Tables, sight: Sight): WriteUnit['providerEntries'] {
  const find = (digest: Buffer) => one(entries, keyOf(digest), sight);
  const all = () => every(entries, sight);
  return {
    find: async (digest) => find(digest),
    findByAlias: async (kind, alias) =>
      all().find((entry) => entry.kind === kind && entry.aliasDigest?.equals(alias)),
    ofUser: async (userId, kind) => all().filter((entry) => entry.userId === userId && entry.kind === kind),
    ofClient: async (client, kind, after, limit) =>
      all()
        .filter((entry) => entry.client === client && entry.kind === kind)
        .filter(({ digest }) => Buffer.compare(digest, after) > 0)
        .toSorted((a, b) => Buffer.compare(a.digest, b.digest))
        .slice(0, limit),
    async put(entry) {
      const consumedAt = find(entry.digest)?.consumedAt ?? entry.consumedAt;
      entries.set(keyOf(entry.digest), { ...entry, consumedAt });
    },
    async consume(digest, at) {
      const entry = find(digest);
      if (entry === undefined || entry.consumedAt !== undefined) return false;
      entries.set(keyOf(digest), { ...entry, consumedAt: at });
      return true;
    },
    async remove(digest) {
      entries.delete(keyOf(digest));
    },
    async removeOfGrant(grant) {
      const ofGrant = all().filter(({ grantDigest }) => grantDigest?.equals(grant));
      return ofGrant.filter(({ digest }) => entries.delete(keyOf(digest))).length;
    },
    async sweep(before, limit) {
      const expiry = (entry: { readonly expiresAt?: number | undefined }) => entry.expiresAt ?? Infinity;
      const expired = all().filter((entry) => expiry(entry) < before);
      const swept = expired.sort((a, b) => expiry(a) - expiry(b)).slice(0, limit);
      return swept.filter(({ digest }) => entries.delete(keyOf(digest))).length;
    },
    async trim(most, limit) {
      const begun = all().filter(
        ({ kind, ticketDigest, expiresAt }) =>
          BEFORE_SIGN_IN.includes(kind) && ticketDigest === undefined && expiresAt !== undefined,
      );
      const beyond = begun.sort((a, b) => (b.expiresAt ?? 0) - (a.expiresAt ?? 0)).slice(most, most + limit);
      return beyond.filter(({ digest }) => entries.delete(keyOf(digest))).length;
    },
  };
}

function signingKeysIn({ signingKeys }: Tables, sight: Sight): WriteUnit['signingKeys'] {
  const find = (kid: string) => one(signingKeys, kid, sight);
  return {
    list: async () =>
      every(signingKeys, sight).sort((a, b) => a.addedAt - b.addedAt || byCodePoints(a.kid, b.kid)),
    async add(key) {
      if (find(key.kid) !== undefined) return false;
      signingKeys.set(key.kid, key);
      return true;
    },
    async retire(kid, at) {
      const key = find(kid);
      if (key && key.retiredAt === undefined) signingKeys.set(kid, { ...key, retiredAt: at });
    },
    async encryptAnew(kid, before, sealed) {
      const key = find(kid);
      if (!key?.sealed.equals(before)) return false;
      signingKeys.set(kid, { ...key, sealed });
      return true;
    },
    async removeRetired(before) {
      const retired = every(signingKeys, sight).filter(({ retiredAt = Infinity }) => retiredAt < before);
      return retired.filter(({ kid }) => signingKeys.delete(kid)).length;
    },
  };
}
