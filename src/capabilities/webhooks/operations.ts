import type { AnyOperation } from '../../core/operation.ts';
import replayPost from './operations/admin/webhooks/replay.post.ts';
import adminWebhooksGet from './operations/admin/webhooks.get.ts';

/** The operations of this capability that the description of the service shows. */
export const OPERATIONS: readonly AnyOperation[] = [adminWebhooksGet, replayPost];
