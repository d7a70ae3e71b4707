import type { Logger } from 'pino';
import type { Settings } from '../../core/settings/table.ts';
import type { Store } from '../../core/storage/store.ts';
import type { ReceiverCounts } from './delivery.ts';

/** The delivery of events to receivers of webhooks. */
export interface OpenedWebhooks {
  /** Delivers from now on. */
  start(): void;
  stop(): Promise<void>;
  reload(): void;
  /** Stops watching the document. */
  close(): void;
  /** The figures of each receiver, for metrics. */
  counts(): readonly ReceiverCounts[];
}

const NO_WEBHOOKS: OpenedWebhooks = {
  start: () => undefined,
  stop: async () => undefined,
  reload: () => undefined,
  close: () => undefined,
  counts: () => [],
};

interface WebhookParts {
  readonly settings: Settings;
  /** Whether this process sweeps: one process of a service does so, and delivers. */
  readonly sweeps: boolean;
  readonly store: Store;
  readonly log: Logger;
  readonly clock: () => number;
  readonly onFault: (fault: unknown) => void;
}

/**
 * The webhooks that are set. Their code is loaded only if there are any, in the one process that delivers. Their receivers become
 * those of the store. A fault of the document is thrown (`DocumentsFaulty`).
 */
export async function openWebhooks(parts: WebhookParts): Promise<OpenedWebhooks> {
  const { settings, sweeps, store } = parts;
  if (!sweeps) return NO_WEBHOOKS;
  if (settings.webhooks === '') {
    await removeReceivers(parts);
    return NO_WEBHOOKS;
  }
  const { WebhookDelivery } = await import('./delivery.ts');
  const databaseId = await store.read(({ users }) => users.databaseId());
  const delivery = new WebhookDelivery(settings.webhooks, { ...parts, databaseId });
  await delivery.register();
  return delivery;
}

/** Removes receivers that an earlier start registered: events would be kept for them, and not be delivered. */
async function removeReceivers({ store, log }: WebhookParts): Promise<void> {
  const there = await store.read(({ webhooks }) => webhooks.list());
  for (const { id, waiting } of there)
    log.warn({ receiver: id, waiting }, 'receiver of webhooks removed: TESSERA_WEBHOOKS is not set');
  if (there.length > 0) await store.write(({ webhooks }) => webhooks.setReceivers([]));
}
