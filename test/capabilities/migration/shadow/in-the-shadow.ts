import type { TestContext } from 'node:test';
import { userKey } from '../../../../src/core/domain/user.ts';
import { startTestService, type TestService } from '../../../service/start.ts';
import { OldServer } from './old-server.ts';

/** A log line about a difference. */
export interface Told {
  readonly user: string;
  readonly ours: number;
  readonly theirs?: number;
  readonly came: string;
}

/** A service with an old server, over plain http on this machine. */
export async function inTheShadow(t: TestContext, env: Record<string, string> = {}) {
  const old = await new OldServer().start(t);
  const service = await startTestService(t, { TESSERA_SHADOW: old.url, TESSERA_THROTTLE_AFTER: '0', ...env });
  return { old, service };
}

/** The differences logged so far. */
export function differences({ lines }: TestService): Told[] {
  const told = lines
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'the old server answers differently');
  return told.map(({ user, ours, theirs, came }) => ({ user, ours, ...(theirs && { theirs }), came }));
}

export const userOf = ({ store }: TestService, name: string) =>
  store.read(({ users }) => users.findByKey(userKey(name)));
