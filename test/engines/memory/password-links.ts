import type { WriteUnit } from '../../../src/core/storage/store.ts';
import { every, type Sight, type Tables } from './tables.ts';

/** The links to choose a password of the memory engine. */
export function passwordLinksIn({ passwordLinks }: Tables, sight: Sight): WriteUnit['passwordLinks'] {
  const remove = (isOne: (link: { userId: number; expiresAt: number }) => boolean, limit: number) => {
    const links = passwordLinks.all().filter(isOne).slice(0, limit);
    for (const { userId, purpose } of links) passwordLinks.delete(`${userId} ${purpose}`);
    return links.length;
  };
  return {
    find: async (digest) => every(passwordLinks, sight).find((link) => link.digest.equals(digest)),
    put: async (link) => void passwordLinks.set(`${link.userId} ${link.purpose}`, link),
    putBack: async (link) => {
      const key = `${link.userId} ${link.purpose}`;
      if (passwordLinks.get(key) === undefined) passwordLinks.set(key, link);
    },
    removeOf: async (userId) => remove((link) => link.userId === userId, Number.POSITIVE_INFINITY),
    sweep: async (at, limit) => remove(({ expiresAt }) => expiresAt < at, limit),
  };
}
